import { ByteWriter, readAscii, readUint } from './bytes.ts';

const HEAD_BYTES = 12;
const CANVAS_BYTES = 10;
/** Position and timing of a frame, before its chunks. */
const FRAME_BYTES = 16;
/** The canvas flags for kept data: colour profile, transparency, animation. */
const ALLOWED_FLAGS = 0x32;

const IMAGE_CHUNKS = new Set(['VP8 ', 'VP8L']);
const ALLOWED_FRAME_CHUNKS = new Set([...IMAGE_CHUNKS, 'ALPH']);
const ALLOWED_CHUNKS = new Set([...ALLOWED_FRAME_CHUNKS, 'ICCP', 'ANIM']);

/** Reduces a WebP to its image, colour profile and frames; null if it is truncated or damaged. */
export function sanitizeWebp(sent: Uint8Array): Uint8Array | null {
  const size = readUint(sent, 4, 4, 'little');
  if (size < 0) return null;
  const kept = new ByteWriter(sent);
  kept.add(sent.subarray(0, HEAD_BYTES));
  let drawn = false;
  const whole = visitChunks(sent, HEAD_BYTES, 8 + size, (type, from, to) => {
    if (IMAGE_CHUNKS.has(type) || type === 'ANMF') drawn = true;
    if (type === 'ANMF') return addFrame(kept, sent, from, to);
    if (type === 'VP8X') return kept.length > HEAD_BYTES || addCanvas(kept, sent.subarray(from, to));
    if (ALLOWED_CHUNKS.has(type)) addChunk(kept, type, sent.subarray(from, to));
    return true;
  });
  if (!whole || !drawn) return null;
  kept.writeSize(4, kept.length - 8);
  return kept.whole();
}

/**
 * Visits the chunks in a range.
 * @returns false if a chunk exceeds the range or `visit` returns false
 */
function visitChunks(
  bytes: Uint8Array,
  from: number,
  to: number,
  visit: (type: string, from: number, to: number) => boolean,
): boolean {
  if (from > to || to > bytes.length) return false;
  let at = from;
  while (at < to) {
    const size = readUint(bytes, at + 4, 4, 'little');
    const end = at + 8 + size;
    if (size < 0 || end > to || !visit(readAscii(bytes, at, 4), at + 8, end)) return false;
    // Chunks start at even offsets.
    at = end + (size % 2);
  }
  return true;
}

function addChunk(kept: ByteWriter, type: string, body: Uint8Array): void {
  const at = startChunk(kept, type);
  kept.add(body);
  endChunk(kept, at);
}

/** Writes the canvas with the flags of the kept data only. */
function addCanvas(kept: ByteWriter, body: Uint8Array): boolean {
  if (body.length < CANVAS_BYTES) return false;
  const flags = (body[0] as number) & ALLOWED_FLAGS;
  addChunk(kept, 'VP8X', Uint8Array.from([flags, 0, 0, 0, ...body.subarray(4, CANVAS_BYTES)]));
  return true;
}

function addFrame(kept: ByteWriter, bytes: Uint8Array, from: number, to: number): boolean {
  const at = startChunk(kept, 'ANMF');
  kept.add(bytes.subarray(from, Math.min(from + FRAME_BYTES, to)));
  let drawn = false;
  const whole = visitChunks(bytes, from + FRAME_BYTES, to, (type, begin, end) => {
    if (IMAGE_CHUNKS.has(type)) drawn = true;
    if (ALLOWED_FRAME_CHUNKS.has(type)) addChunk(kept, type, bytes.subarray(begin, end));
    return true;
  });
  endChunk(kept, at);
  return whole && drawn;
}

/** @returns the offset of the chunk's content */
function startChunk(kept: ByteWriter, type: string): number {
  kept.add([...[...type].map((letter) => letter.charCodeAt(0)), 0, 0, 0, 0]);
  return kept.length;
}

function endChunk(kept: ByteWriter, from: number): void {
  const size = kept.length - from;
  kept.writeSize(from - 4, size);
  if (size % 2 === 1) kept.add([0]);
}
