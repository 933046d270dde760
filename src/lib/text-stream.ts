const encoder = new TextEncoder();

/** One chunk: large enough to be worth a turn of the event loop, small enough for backpressure. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Turns a generator into a byte stream that pulls one piece at a time.
 * @param pieces an error of theirs aborts the stream; cancelling the stream ends them
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
      // An enqueued chunk's whole buffer is transferred to the stream: it gets a copy.
      controller.enqueue(new Uint8Array(rest.subarray(0, CHUNK_BYTES)));
      rest = rest.subarray(CHUNK_BYTES);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** Encodes text as UTF-8, piece by piece. */
export async function* encodePieces(
  pieces: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield encoder.encode(piece);
}

/** Joins short pieces of text into chunks. */
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
    // What came before the error is delivered.
    if (held !== '') yield held;
    throw error;
  }
  if (held !== '') yield held;
}
