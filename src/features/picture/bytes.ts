/** Reads an unsigned integer of `size` bytes; -1 past the end. */
export function readUint(
  bytes: Uint8Array,
  at: number,
  size: number,
  order: 'big' | 'little' = 'big',
): number {
  if (at < 0 || at + size > bytes.length) return -1;
  let value = 0;
  for (let index = 0; index < size; index += 1) {
    const byte = bytes[order === 'big' ? at + index : at + size - 1 - index] as number;
    // No bit shifts: sizes can have 32 bits and more.
    value = value * 256 + byte;
  }
  return value;
}

/** Reads bytes as characters; shorter at the end of the data. */
export function readAscii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

/** Room for rewritten parts, which are at most this much longer than the originals. */
const SPARE_BYTES = 128;

/**
 * Builds a file from the parts of another. It copies at once, because a hostile file can have so many parts that
 * references to them would take more memory than the file.
 */
export class ByteWriter {
  readonly #bytes: Uint8Array;
  #length = 0;

  constructor(sent: Uint8Array) {
    this.#bytes = new Uint8Array(sent.length + SPARE_BYTES);
  }

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array | readonly number[]): void {
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  /** Overwrites a little-endian 32-bit number. */
  writeSize(at: number, size: number): void {
    new DataView(this.#bytes.buffer).setUint32(at, size, true);
  }

  whole(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
