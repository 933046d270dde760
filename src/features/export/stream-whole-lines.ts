const NEWLINE = 10;

/**
 * Passes bytes on line by line as they come, holding back no more than the line that has not ended. What breaks off ends
 * with its last whole line; what ends by itself is passed on to its last byte.
 * @param onError told, once, that it broke off
 */
export async function* streamWholeLines(
  source: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  let buffered: Uint8Array[] = [];
  try {
    for await (const chunk of source) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        yield* buffered;
        buffered = [];
        yield chunk.subarray(0, end);
      }
      if (end < chunk.length) buffered.push(chunk.subarray(end));
    }
  } catch (error) {
    onError(error);
    return;
  }
  yield* buffered;
}
