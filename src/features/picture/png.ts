import { Kept, letters, uint } from './bytes.ts';
import { directoryWith, orientationOf } from './orientation.ts';

const SIGNATURE_BYTES = 8;
/** Length, name and checksum of a chunk. */
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;

/** What draws the picture and its colours; all else tells of whoever made it. */
const KEPT = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'pHYs'],
  ...['cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

/** A PNG with nothing in it but the picture, and which side is up, written anew; null when it is cut off or broken. */
export function cleanPng(sent: Uint8Array): Uint8Array | null {
  const kept = new Kept(sent);
  kept.add(sent.subarray(0, SIGNATURE_BYTES));
  let at = SIGNATURE_BYTES;
  let drawn = false;
  let turned = false;
  for (;;) {
    const length = uint(sent, at, 4);
    const type = letters(sent, at + 4, 4);
    const end = at + FRAME_BYTES + length;
    if (length < 0 || end > sent.length) return null;
    if ((type === 'IHDR') !== (at === SIGNATURE_BYTES)) return null;
    if (type === 'IHDR' && length !== HEADER_BYTES) return null;
    if (KEPT.has(type)) kept.add(sent.subarray(at, end));
    if (type === 'eXIf' && !turned) {
      const orientation = orientationOf(sent.subarray(at + 8, end - 4));
      turned = orientation !== null;
      if (orientation !== null) kept.add(chunk('eXIf', directoryWith(orientation)));
    }
    if (type === 'IDAT' && length > 0) drawn = true;
    if (type === 'IEND') return drawn && length === 0 ? kept.whole() : null;
    at = end;
  }
}

function chunk(type: string, body: readonly number[]): number[] {
  const named = [...[...type].map((letter) => letter.charCodeAt(0)), ...body];
  return [...bytesOf(body.length), ...named, ...bytesOf(checksum(named))];
}

const bytesOf = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

/** CRC-32 (PNG's annex D), without a table: what is written here has thirty bytes. */
function checksum(bytes: readonly number[]): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest;
}
