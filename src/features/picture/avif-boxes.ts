import { readAscii, readUint } from './bytes.ts';

/** A box of a file: a name, and what is in it. */
export interface Box {
  type: string;
  at: number;
  /** Where its content begins. */
  body: number;
  end: number;
}

/** The box that begins at a place and ends before another, or null. Only one outside of all may have no size: it goes on to the end. */
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

/** A picture has four or five. */
const MAX_LEADING_BOXES = 100;

/** The boxes that a file begins with; what comes after the last of them is none. */
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

/** The boxes that fill the space between two places, or null when something else is in it. */
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

/** Reads numbers one after the other; past its end all of them are -1, and `ended` says so. */
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

  /** The next number of so many bytes; of none it is 0. */
  next(size: number): number {
    if (this.#at + size > this.#end) this.isEnded = true;
    if (this.isEnded) return -1;
    this.#at += size;
    return readUint(this.#bytes, this.#at - size, size);
  }
}
