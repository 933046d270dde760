/** How long a body may take. */
export interface BodyDeadline {
  /** Between two pieces, in ms. */
  idleMs: number;
  /** In all, in ms: a sender of one byte at a time must end too. */
  totalMs: number;
}

/** A body stopped coming. */
export class BodyTimeoutError extends Error {
  constructor() {
    super('The body did not arrive in time');
  }
}

const BUFFER_BYTES = 64 * 1024;

interface PieceReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/**
 * Reads into one buffer again and again where the stream can: a buffer for each piece of a large body would stay in memory
 * until the next garbage collection.
 */
function createReader(body: ReadableStream<Uint8Array>): PieceReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    // A stream of whole pieces, such as those of tests.
    return body.getReader();
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      // The runtime has moved the memory into the answer's buffer.
      if (value !== undefined) buffer = value.buffer as ArrayBuffer;
      return { done, value };
    },
    cancel: () => reader.cancel(),
  };
}

/**
 * Reads a body piece by piece. A piece is valid until the next one is asked for.
 * @throws BodyTimeoutError when it does not arrive in time; the rest is then refused
 */
export async function* readBody(
  body: ReadableStream<Uint8Array>,
  { idleMs, totalMs }: BodyDeadline,
): AsyncGenerator<Uint8Array> {
  const reader = createReader(body);
  const endsAt = Date.now() + totalMs;
  let isOver = false;
  try {
    for (;;) {
      const left = Math.min(idleMs, endsAt - Date.now());
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new BodyTimeoutError()), Math.max(0, left));
      });
      const { done, value } = await Promise.race([reader.read(), late]).finally(() => clearTimeout(timer));
      isOver = done;
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    // Not awaited: a sender that has stopped does not answer.
    if (!isOver) reader.cancel().catch(() => {});
  }
}
