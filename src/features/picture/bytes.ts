/** A whole number of so many bytes, or -1 where the bytes end before it. */
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
    // No shifting: the sizes that containers name have 32 bits and more.
    value = value * 256 + byte;
  }
  return value;
}

/** Bytes as the letters they stand for in a container's names; shorter where the bytes end before. */
export function readAscii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** The pieces of a file as one. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

/** Room for what is written anew: it never is more than this longer than what it stands for. */
const SPARE_BYTES = 128;

/** A file that is put together of what stays of another. Copied at once: references to as many pieces as a hostile file has would take more room than the file. */
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

  /** Writes a number of 32 bits, the smallest part first, over what stands at a place. */
  writeSize(at: number, size: number): void {
    new DataView(this.#bytes.buffer).setUint32(at, size, true);
  }

  whole(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
