/** Counts what is done for a file, in bytes that are looked at or made: what its reading may cost at most is told by tests. */
export class WorkCounter {
  bytes = 0;

  add(bytes: number): void {
    this.bytes += bytes;
  }
}

/** A place in a file: from a byte on, to before another. */
export interface ByteRange {
  from: number;
  to: number;
}

/** A file in the pieces that it came in. It is never put together: of a large one, two would not fit into memory. */
export class ChunkedBytes {
  readonly length: number;
  readonly work: WorkCounter;
  readonly #pieces: readonly Uint8Array[];
  /** Where each of them begins. */
  readonly #starts: number[] = [];

  constructor(pieces: readonly Uint8Array[], work = new WorkCounter()) {
    this.#pieces = pieces;
    this.work = work;
    let at = 0;
    for (const piece of pieces) {
      this.#starts.push(at);
      at += piece.length;
    }
    this.length = at;
  }

  /** The bytes of a place as they lie there, piece after piece, uncopied. What is outside of the file is left out. */
  *iterate({ from, to }: ByteRange): Generator<Uint8Array> {
    const end = Math.min(to, this.length);
    let at = Math.max(0, from);
    for (let index = this.#pieceAt(at); at < end; index += 1) {
      const piece = this.#pieces[index] as Uint8Array;
      const start = this.#starts[index] as number;
      const run = piece.subarray(at - start, Math.min(piece.length, end - start));
      this.work.add(run.length);
      if (run.length > 0) yield run;
      at = start + piece.length;
    }
  }

  /** A copy of the bytes of a place; shorter where the file ends before. Whoever asks bounds it. */
  slice(from: number, to: number): Uint8Array<ArrayBuffer> {
    const end = Math.min(to, this.length);
    const copy = new Uint8Array(Math.max(0, end - Math.max(0, from)));
    let at = 0;
    for (const run of this.iterate({ from, to: end })) {
      copy.set(run, at);
      at += run.length;
    }
    return copy;
  }

  #pieceAt(at: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}
