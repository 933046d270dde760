/** Reads responses of other companies up to a size limit. */

/** Reads a body as text; null when it is larger than `maxBytes`. */
export async function readBoundedText(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Parses JSON; undefined when the text is not valid. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
