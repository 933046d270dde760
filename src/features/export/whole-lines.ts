const NEWLINE = 10;

/**
 * Passes bytes on line by line as they come, holding back no more than the line that has not ended. What breaks off ends
 * with its last whole line; what ends by itself is passed on to its last byte.
 * @param broken told, once, that it broke off
 */
export async function* wholeLines(
  source: AsyncIterable<Uint8Array>,
  broken: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  try {
    for await (const chunk of source) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        yield* held;
        held = [];
        yield chunk.subarray(0, end);
      }
      if (end < chunk.length) held.push(chunk.subarray(end));
    }
  } catch (error) {
    broken(error);
    return;
  }
  yield* held;
}
