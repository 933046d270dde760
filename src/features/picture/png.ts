import { ByteWriter, readAscii, readUint } from './bytes.ts';
import { buildOrientationDirectory, readOrientation } from './orientation.ts';

const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;

/** Chunks that affect the image or its colours; all others are metadata. */
const ALLOWED_CHUNKS = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'pHYs'],
  ...['cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

/** Reduces a PNG to its image and a rewritten orientation; null if it is truncated or damaged. */
export function sanitizePng(sent: Uint8Array): Uint8Array | null {
  const kept = new ByteWriter(sent);
  kept.add(sent.subarray(0, SIGNATURE_BYTES));
  let at = SIGNATURE_BYTES;
  let drawn = false;
  let turned = false;
  for (;;) {
    const length = readUint(sent, at, 4);
    const type = readAscii(sent, at + 4, 4);
    const end = at + FRAME_BYTES + length;
    if (length < 0 || end > sent.length) return null;
    if ((type === 'IHDR') !== (at === SIGNATURE_BYTES)) return null;
    if (type === 'IHDR' && length !== HEADER_BYTES) return null;
    if (ALLOWED_CHUNKS.has(type)) kept.add(sent.subarray(at, end));
    if (type === 'eXIf' && !turned) {
      const orientation = readOrientation(sent.subarray(at + 8, end - 4));
      turned = orientation !== null;
      if (orientation !== null) kept.add(buildChunk('eXIf', buildOrientationDirectory(orientation)));
    }
    if (type === 'IDAT' && length > 0) drawn = true;
    if (type === 'IEND') return drawn && length === 0 ? kept.whole() : null;
    at = end;
  }
}

function buildChunk(type: string, body: readonly number[]): number[] {
  const named = [...[...type].map((letter) => letter.charCodeAt(0)), ...body];
  return [...toUint32Bytes(body.length), ...named, ...toUint32Bytes(computeCrc32(named))];
}

const toUint32Bytes = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

/** CRC-32 (PNG specification, annex D). No table, because it only processes about thirty bytes. */
function computeCrc32(bytes: readonly number[]): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest;
}
