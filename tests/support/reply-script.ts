/** What to write in a message to have the scripted model say any text, of which the rules cannot read a word before it is said. */
export function buildReplyScript(text: string, size = 16, ms = 1): string {
  const bytes = new TextEncoder().encode(text);
  const encoded = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return `[[scenario:say text=${encoded} size=${size} ms=${ms}]]`;
}
