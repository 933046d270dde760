import { ByteWriter, readAscii, readUint } from './bytes.ts';
import { buildOrientationDirectory, readOrientation } from './orientation.ts';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Frames that browsers show: baseline, extended and progressive. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const CODES = 0xc4;
const QUANTIZERS = 0xdb;
/** Tables that the scans are read by, the count of lines, and how often a scan begins anew. */
const TABLES = new Set([CODES, QUANTIZERS, 0xdc, 0xdd]);
const ICC = 'ICC_PROFILE\0';
/** Encoders write twenty at most. Each draws the whole picture once more: of two megabytes of empty ones, a browser had for half an hour. */
const MAX_SCANS = 64;

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
/** Lossless, hierarchical and arithmetic ones. */
const isOtherFrame = (marker: number): boolean =>
  marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isColorProfile = (marker: number, body: Uint8Array): boolean =>
  marker === APP2 && readAscii(body, 0, ICC.length) === ICC;

/**
 * A JPEG with nothing in it but the picture: its frame, tables and scans, its colours (ICC, Adobe's mark) and which
 * side is up, written anew. Null when it is cut off, broken, or of a kind that browsers do not show.
 */
export function sanitizeJpeg(sent: Uint8Array): Uint8Array | null {
  const kept = new ByteWriter(sent);
  kept.add([0xff, START]);
  /** Each is told once, and by the first that tells it. */
  const told = new Set<number>();
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
    } else if (!told.has(marker)) {
      const rewritten = rewriteSegment(marker, body);
      if (rewritten !== null) {
        told.add(marker);
        kept.add(buildSegment(marker, rewritten));
      }
    }
    at = end;
  }
  kept.add([0xff, END]);
  return frames === 1 && scans > 0 ? kept.whole() : null;
}

/** Where the next marker stands; what lies between two of them, or fills up, is nothing of the picture. */
function findNextMarker(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && (bytes[at + 1] === 0xff || bytes[at + 1] === 0 || bytes[at + 1] === 1)) {
    at = bytes.indexOf(0xff, at + 1);
  }
  return at === -1 ? bytes.length : at;
}

/** Where the pixels of a scan end: at the first marker that is not theirs. */
function findEndOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1] as number;
    if (next !== 0 && !isRestart(next)) return at;
    at = bytes.indexOf(0xff, at + 2);
  }
  return bytes.length;
}

/** Whether what draws the picture has the very size that it tells of itself: in the rest of a longer one, anything could travel along. */
function hasExactSize(marker: number, body: Uint8Array): boolean {
  if (marker === SCAN) return body.length === 4 + 2 * (body[0] ?? 0);
  if (FRAMES.has(marker)) return body.length === 6 + 3 * (body[5] ?? 0);
  if (marker === QUANTIZERS) return isFilledBy(body, (at) => 1 + ((body[at] as number) < 16 ? 64 : 128));
  if (marker === CODES) {
    return isFilledBy(body, (at) => body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 17));
  }
  return !TABLES.has(marker) || body.length === 2;
}

/** Whether tables, one after the other, end where their block does. @param sizeAt how many bytes one has that begins at a place */
function isFilledBy(body: Uint8Array, sizeAt: (at: number) => number): boolean {
  let at = 0;
  while (at < body.length) at += sizeAt(at);
  return at === body.length;
}

function buildSegment(marker: number, body: readonly number[]): number[] {
  const length = body.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...body];
}

/** What the picture needs of a block that holds other things too; null when it needs nothing of it. */
function rewriteSegment(marker: number, body: Uint8Array): number[] | null {
  if (marker === APP0) return extractJfif(body);
  if (marker === APP1) return extractOrientationExif(body);
  return marker === APP14 ? extractAdobe(body) : null;
}

/** JFIF's own fields without the small picture that may follow them. */
function extractJfif(body: Uint8Array): number[] | null {
  return readAscii(body, 0, 5) === 'JFIF\0' && body.length >= 14 ? [...body.subarray(0, 12), 0, 0] : null;
}

/** Adobe's mark: how the colours are mixed. */
function extractAdobe(body: Uint8Array): number[] | null {
  return readAscii(body, 0, 5) === 'Adobe' && body.length >= 12 ? [...body.subarray(0, 12)] : null;
}

const EXIF = 'Exif\0\0';

/** Which side is up, and nothing else of what Exif told. */
function extractOrientationExif(body: Uint8Array): number[] | null {
  if (readAscii(body, 0, EXIF.length) !== EXIF) return null;
  const orientation = readOrientation(body.subarray(EXIF.length));
  if (orientation === null) return null;
  return [...[...EXIF].map((letter) => letter.charCodeAt(0)), ...buildOrientationDirectory(orientation)];
}
