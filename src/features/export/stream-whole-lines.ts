const NEWLINE = 10;

/**
 * Passes bytes on as they arrive, buffering only the unfinished line. A source that fails ends after its last whole line;
 * a source that ends normally is passed on to its last byte.
 * @param onError called once when the source fails
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
