import { ByteWriter, readAscii, readUint } from './bytes.ts';

const SCREEN_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
/** The fixed sizes of a graphic control and a loop extension. A longer block could carry hidden data. */
const CONTROL_BYTES = 8;
const LOOP_BYTES = 19;
const LOOPS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

/** Reduces a GIF to its frames, their timing and the loop count; null if it is truncated or damaged. */
export function sanitizeGif(sent: Uint8Array, maxSidePx: number): Uint8Array | null {
  const kept = new ByteWriter(sent);
  let at = SCREEN_BYTES + countTableBytes(sent[10] ?? 0);
  if (at > sent.length) return null;
  kept.add(sent.subarray(0, at));
  let pictures = 0;
  for (;;) {
    const kind = sent[at];
    if (kind === TRAILER) {
      kept.add([TRAILER]);
      return pictures > 0 ? kept.whole() : null;
    }
    const isPicture = kind === IMAGE;
    if (!isPicture && kind !== EXTENSION) return null;
    // An image's data follows its position, colour table and code size; an extension's data follows its label.
    const end = findEndOfBlocks(sent, isPicture ? at + 11 + countTableBytes(sent[at + 9] ?? 0) : at + 2);
    if (end === -1) return null;
    if (isPicture) {
      pictures += 1;
      if (!isWithinBounds(sent, at, maxSidePx)) return null;
    }
    if (isPicture || isAllowedExtension(sent, at, end)) kept.add(sent.subarray(at, end));
    at = end;
  }
}

/** Bytes of the colour table, according to the preceding flags. */
const countTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** A frame outside the logical screen enlarges it, so its far edge is checked. */
function isWithinBounds(bytes: Uint8Array, at: number, maxSidePx: number): boolean {
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) =>
    readUint(bytes, at + offset, 2, 'little'),
  ) as [number, number, number, number];
  return left + width <= maxSidePx && top + height <= maxSidePx;
}

function isAllowedExtension(bytes: Uint8Array, at: number, end: number): boolean {
  const label = bytes[at + 1];
  if (label === CONTROL) return end - at === CONTROL_BYTES;
  return label === APPLICATION && end - at === LOOP_BYTES && LOOPS.has(readAscii(bytes, at + 3, 11));
}

/** The end of a chain of length-prefixed blocks; -1 if the data ends first. */
function findEndOfBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    const size = bytes[at];
    if (size === undefined) return -1;
    at += 1 + size;
    if (size === 0) return at;
  }
}
