import { ByteWriter, readAscii, readUint } from './bytes.ts';
import { buildOrientationDirectory, readOrientation } from './orientation.ts';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Frames that browsers support: baseline, extended and progressive. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const CODES = 0xc4;
const QUANTIZERS = 0xdb;
/** Huffman and quantization tables, line count and restart interval. */
const TABLES = new Set([CODES, QUANTIZERS, 0xdc, 0xdd]);
const ICC = 'ICC_PROFILE\0';
/**
 * Encoders write at most twenty scans. Each redraws the whole picture: 2 MB of empty scans kept a browser busy for
 * half an hour.
 */
const MAX_SCANS = 64;

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
/** Lossless, hierarchical and arithmetic frames. */
const isOtherFrame = (marker: number): boolean =>
  marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isColorProfile = (marker: number, body: Uint8Array): boolean =>
  marker === APP2 && readAscii(body, 0, ICC.length) === ICC;

/**
 * Reduces a JPEG to its frame, tables, scans, colour data (ICC, Adobe marker) and a rewritten orientation.
 * @returns null for a truncated or damaged file, or a kind that browsers do not support
 */
export function sanitizeJpeg(sent: Uint8Array): Uint8Array | null {
  const kept = new ByteWriter(sent);
  kept.add([0xff, START]);
  /** Markers already kept; the first of each kind counts. */
  const seen = new Set<number>();
  let frames = 0;
  let scans = 0;
  let at = 2;
  for (;;) {
    at = findNextMarker(sent, at);
    const marker = sent[at + 1];
    if (marker === undefined || marker === START || isRestart(marker) || isOtherFrame(marker)) return null;
    if (marker === END) break;
    const length = readUint(sent, at + 2, 2);
    const end = at + 2 + length;
    if (length < 2 || end > sent.length) return null;
    const body = sent.subarray(at + 4, end);
    if (!hasExactSize(marker, body)) return null;
    if (marker === SCAN) {
      scans += 1;
      if (scans > MAX_SCANS) return null;
      const last = findEndOfScan(sent, end);
      kept.add(sent.subarray(at, last));
      at = last;
      continue;
    }
    if (FRAMES.has(marker)) frames += 1;
    if (FRAMES.has(marker) || TABLES.has(marker) || isColorProfile(marker, body)) {
      kept.add(sent.subarray(at, end));
    } else if (!seen.has(marker)) {
      const rewritten = rewriteSegment(marker, body);
      if (rewritten !== null) {
        seen.add(marker);
        kept.add(buildSegment(marker, rewritten));
      }
    }
    at = end;
  }
  kept.add([0xff, END]);
  return frames === 1 && scans > 0 ? kept.whole() : null;
}

/** The offset of the next marker. Bytes and padding between segments are dropped. */
function findNextMarker(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && (bytes[at + 1] === 0xff || bytes[at + 1] === 0 || bytes[at + 1] === 1)) {
    at = bytes.indexOf(0xff, at + 1);
  }
  return at === -1 ? bytes.length : at;
}

/** The end of a scan's data: the first marker that does not belong to it. */
function findEndOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1] as number;
    if (next !== 0 && !isRestart(next)) return at;
    at = bytes.indexOf(0xff, at + 2);
  }
  return bytes.length;
}

/** Whether a segment's length matches its own fields, because a longer segment could carry hidden data. */
function hasExactSize(marker: number, body: Uint8Array): boolean {
  if (marker === SCAN) return body.length === 4 + 2 * (body[0] ?? 0);
  if (FRAMES.has(marker)) return body.length === 6 + 3 * (body[5] ?? 0);
  if (marker === QUANTIZERS) return isFilledBy(body, (at) => 1 + ((body[at] as number) < 16 ? 64 : 128));
  if (marker === CODES) {
    return isFilledBy(body, (at) => body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 17));
  }
  return !TABLES.has(marker) || body.length === 2;
}

/** Whether consecutive tables fill the segment exactly. @param sizeAt returns the size of the table at an offset */
function isFilledBy(body: Uint8Array, sizeAt: (at: number) => number): boolean {
  let at = 0;
  while (at < body.length) at += sizeAt(at);
  return at === body.length;
}

function buildSegment(marker: number, body: readonly number[]): number[] {
  const length = body.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...body];
}

/** The part of a mixed segment that the picture needs; null if it needs none. */
function rewriteSegment(marker: number, body: Uint8Array): number[] | null {
  if (marker === APP0) return extractJfif(body);
  if (marker === APP1) return extractOrientationExif(body);
  return marker === APP14 ? extractAdobe(body) : null;
}

/** JFIF's own fields, without the optional thumbnail. */
function extractJfif(body: Uint8Array): number[] | null {
  return readAscii(body, 0, 5) === 'JFIF\0' && body.length >= 14 ? [...body.subarray(0, 12), 0, 0] : null;
}

/** The Adobe marker, which defines the colour transform. */
function extractAdobe(body: Uint8Array): number[] | null {
  return readAscii(body, 0, 5) === 'Adobe' && body.length >= 12 ? [...body.subarray(0, 12)] : null;
}

const EXIF = 'Exif\0\0';

/** The orientation alone, without the other Exif fields. */
function extractOrientationExif(body: Uint8Array): number[] | null {
  if (readAscii(body, 0, EXIF.length) !== EXIF) return null;
  const orientation = readOrientation(body.subarray(EXIF.length));
  if (orientation === null) return null;
  return [...[...EXIF].map((letter) => letter.charCodeAt(0)), ...buildOrientationDirectory(orientation)];
}
