import { readAscii, readUint } from './bytes.ts';

/** A box of an ISO base media file (ISO/IEC 14496-12). */
export interface Box {
  type: string;
  at: number;
  /** Offset of its content. */
  body: number;
  end: number;
}

/**
 * Reads the box at an offset, ending at or before `to`; null if there is none. Only an outermost box may have size 0,
 * which means that it extends to the end.
 */
function readBox(bytes: Uint8Array, at: number, to: number, outermost: boolean): Box | null {
  const size = readUint(bytes, at, 4);
  const type = readAscii(bytes, at + 4, 4);
  if (size === -1 || at + 8 > to) return null;
  if (size === 0 && outermost) return { type, at, body: at + 8, end: to };
  const isLong = size === 1;
  const body = at + (isLong ? 16 : 8);
  const end = at + (isLong ? readUint(bytes, at + 8, 8) : size);
  return body <= end && end <= to ? { type, at, body, end } : null;
}

/** A normal file has four or five outermost boxes. */
const MAX_LEADING_BOXES = 100;

/** Reads the outermost boxes up to the first position without a valid box. */
export function listLeadingBoxes(bytes: Uint8Array): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  for (;;) {
    const box = boxes.length < MAX_LEADING_BOXES ? readBox(bytes, at, bytes.length, true) : null;
    if (box === null) return boxes;
    boxes.push(box);
    at = box.end;
  }
}

/** Parses a range that consists only of boxes; null if it contains anything else. */
export function parseBoxes(bytes: Uint8Array, from: number, to: number): Box[] | null {
  const boxes: Box[] = [];
  let at = from;
  while (at < to) {
    const box = readBox(bytes, at, to, false);
    if (box === null) return null;
    boxes.push(box);
    at = box.end;
  }
  return at === to ? boxes : null;
}

/** Reads consecutive numbers; past the end every number is -1, and `isEnded` is true. */
export class NumberReader {
  isEnded = false;
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, from: number, end: number) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
  }

  get at(): number {
    return this.#at;
  }

  /** Reads a big-endian number of `size` bytes; size 0 gives 0. */
  next(size: number): number {
    if (this.#at + size > this.#end) this.isEnded = true;
    if (this.isEnded) return -1;
    this.#at += size;
    return readUint(this.#bytes, this.#at - size, size);
  }
}
