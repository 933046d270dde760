/** Counts the work done for a file, in bytes read or produced. Tests use it to bound the cost of reading a file. */
export class WorkCounter {
  bytes = 0;

  add(bytes: number): void {
    this.bytes += bytes;
  }
}

/** A byte range of a file; `to` is exclusive. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * A file in the pieces in which it arrived. They are never joined: two copies of a large file would not fit into
 * memory.
 */
export class ChunkedBytes {
  readonly length: number;
  readonly work: WorkCounter;
  readonly #pieces: readonly Uint8Array[];
  /** Offset of each piece. */
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

  /** Iterates over a range without copying, piece by piece. Parts outside of the file are left out. */
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

  /** Copies a range; shorter where the file ends before. Callers have to limit the size. */
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
