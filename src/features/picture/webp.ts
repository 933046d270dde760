import { Kept, letters, uint } from './bytes.ts';

const HEAD_BYTES = 12;
const CANVAS_BYTES = 10;
/** A frame's place and time, before the chunks that it is drawn by. */
const FRAME_BYTES = 16;
/** Of the canvas' flags, those of what is kept: colours, transparency, frames. */
const KEPT_FLAGS = 0x32;

const DRAWN = new Set(['VP8 ', 'VP8L']);
const KEPT_IN_FRAME = new Set([...DRAWN, 'ALPH']);
const KEPT = new Set([...KEPT_IN_FRAME, 'ICCP', 'ANIM']);

/** A WebP with nothing in it but the picture, its colours and its frames; null when it is cut off or broken. */
export function cleanWebp(sent: Uint8Array): Uint8Array | null {
  const size = uint(sent, 4, 4, 'little');
  if (size < 0) return null;
  const kept = new Kept(sent);
  kept.add(sent.subarray(0, HEAD_BYTES));
  let drawn = false;
  const whole = eachChunk(sent, HEAD_BYTES, 8 + size, (type, from, to) => {
    if (DRAWN.has(type) || type === 'ANMF') drawn = true;
    if (type === 'ANMF') return addFrame(kept, sent, from, to);
    if (type === 'VP8X') return kept.length > HEAD_BYTES || addCanvas(kept, sent.subarray(from, to));
    if (KEPT.has(type)) addChunk(kept, type, sent.subarray(from, to));
    return true;
  });
  if (!whole || !drawn) return null;
  kept.putSize(4, kept.length - 8);
  return kept.whole();
}

/**
 * Goes through the chunks between two places.
 * @returns false as soon as one does not end before the second place, or `visit` says so
 */
function eachChunk(
  bytes: Uint8Array,
  from: number,
  to: number,
  visit: (type: string, from: number, to: number) => boolean,
): boolean {
  if (from > to || to > bytes.length) return false;
  let at = from;
  while (at < to) {
    const size = uint(bytes, at + 4, 4, 'little');
    const end = at + 8 + size;
    if (size < 0 || end > to || !visit(letters(bytes, at, 4), at + 8, end)) return false;
    // Each begins at an even place.
    at = end + (size % 2);
  }
  return true;
}

function addChunk(kept: Kept, type: string, body: Uint8Array): void {
  const at = beginChunk(kept, type);
  kept.add(body);
  endChunk(kept, at);
}

/** The canvas with the flags of what is kept alone. */
function addCanvas(kept: Kept, body: Uint8Array): boolean {
  if (body.length < CANVAS_BYTES) return false;
  const flags = (body[0] as number) & KEPT_FLAGS;
  addChunk(kept, 'VP8X', Uint8Array.from([flags, 0, 0, 0, ...body.subarray(4, CANVAS_BYTES)]));
  return true;
}

function addFrame(kept: Kept, bytes: Uint8Array, from: number, to: number): boolean {
  const at = beginChunk(kept, 'ANMF');
  kept.add(bytes.subarray(from, Math.min(from + FRAME_BYTES, to)));
  let drawn = false;
  const whole = eachChunk(bytes, from + FRAME_BYTES, to, (type, begin, end) => {
    if (DRAWN.has(type)) drawn = true;
    if (KEPT_IN_FRAME.has(type)) addChunk(kept, type, bytes.subarray(begin, end));
    return true;
  });
  endChunk(kept, at);
  return whole && drawn;
}

/** @returns where the chunk's content begins */
function beginChunk(kept: Kept, type: string): number {
  kept.add([...[...type].map((letter) => letter.charCodeAt(0)), 0, 0, 0, 0]);
  return kept.length;
}

function endChunk(kept: Kept, from: number): void {
  const size = kept.length - from;
  kept.putSize(from - 4, size);
  if (size % 2 === 1) kept.add([0]);
}
