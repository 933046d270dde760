const encoder = new TextEncoder();

/** Size of one chunk: large enough to justify a turn of the event loop, small enough for backpressure. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Turns a generator into a byte stream that pulls one piece at a time.
 * @param pieces an error in it aborts the stream; cancelling the stream ends it
 */
export function toByteStream(pieces: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      while (rest.length === 0) {
        const { done, value } = await pieces.next();
        if (done === true) {
          controller.close();
          // A BYOB reader waits until its buffer is returned.
          controller.byobRequest?.respond(0);
          return;
        }
        rest = typeof value === 'string' ? encoder.encode(value) : value;
      }
      // `enqueue` transfers the chunk's whole buffer to the stream, so pass a copy.
      controller.enqueue(new Uint8Array(rest.subarray(0, CHUNK_BYTES)));
      rest = rest.subarray(CHUNK_BYTES);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** Encodes each piece of text as UTF-8. */
export async function* encodePieces(
  pieces: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield encoder.encode(piece);
}

/** Joins short pieces of text into chunks of at least 64 Ki characters. */
export async function* joinPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  try {
    for await (const piece of pieces) {
      held += piece;
      if (held.length < CHUNK_BYTES) continue;
      yield held;
      held = '';
    }
  } catch (error) {
    // Deliver the text from before the error.
    if (held !== '') yield held;
    throw error;
  }
  if (held !== '') yield held;
}
