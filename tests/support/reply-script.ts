/** A marker that makes the scripted model say any text, encoded so that the rules cannot read it in the message. */
export function buildReplyScript(text: string, size = 16, ms = 1): string {
  const bytes = new TextEncoder().encode(text);
  const encoded = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return `[[scenario:say text=${encoded} size=${size} ms=${ms}]]`;
}
