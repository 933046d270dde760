const encoder = new TextEncoder();

/** What is handed on at once: large enough to be worth a turn of the loop, small enough to wait for its reader. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Text or bytes as a stream that is made while it is read, and no sooner: no piece is asked for before the one before is
 * taken.
 * @param pieces what they throw breaks the stream off; whoever stops reading ends them
 */
export function streamOf(pieces: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      while (rest.length === 0) {
        const { done, value } = await pieces.next();
        if (done === true) {
          controller.close();
          // A reader that brought its own buffer waits until it is given back.
          controller.byobRequest?.respond(0);
          return;
        }
        rest = typeof value === 'string' ? encoder.encode(value) : value;
      }
      // What is handed on belongs to the stream from then on, with all of its memory: it gets a copy.
      controller.enqueue(new Uint8Array(rest.subarray(0, CHUNK_BYTES)));
      rest = rest.subarray(CHUNK_BYTES);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** Text as bytes, piece by piece. */
export async function* bytesOf(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield encoder.encode(piece);
}

/** Short pieces of text put together to ones that are worth handing on. */
export async function* gathered(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  try {
    for await (const piece of pieces) {
      held += piece;
      if (held.length < CHUNK_BYTES) continue;
      yield held;
      held = '';
    }
  } catch (error) {
    // What came before is told all the same.
    if (held !== '') yield held;
    throw error;
  }
  if (held !== '') yield held;
}
