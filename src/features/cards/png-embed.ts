import { BRAND } from '../../config/brand.ts';
import { joinBytes, readAscii, readUint } from '../picture/bytes.ts';
import { decodeBase64 } from './base64.ts';

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Keyword prefix of a card's files inside its picture. */
export const ASSET_PREFIX = 'chara-ext-asset_:';
/** Path of our character's portrait, where the picture itself is a placeholder. */
export const OWN_PORTRAIT_ASSET = `${BRAND.modelValue}-portrait`;
export const TEXT_CHUNKS = new Set(['tEXt', 'zTXt', 'iTXt']);
export const EXIF_CHUNK = 'eXIf';
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;

interface Chunk {
  kind: string;
  /** Including length, type and checksum. */
  bytes: Uint8Array;
  body: Uint8Array;
}

/**
 * Returns the complete chunks of a picture, up to the first incomplete one.
 * @param start where they begin
 */
export function splitChunks(picture: Uint8Array, start = PNG_SIGNATURE.length): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = start; at < picture.length;) {
    const length = readUint(picture, at, 4);
    const end = at + FRAME_BYTES + length;
    if (length < 0 || end > picture.length) break;
    chunks.push({
      kind: readAscii(picture, at + 4, 4),
      bytes: picture.subarray(at, end),
      body: picture.subarray(at + 8, end - 4),
    });
    at = end;
  }
  return chunks;
}

/**
 * Returns the portrait that a card of ours contains in addition to a placeholder picture; null where the picture is the
 * portrait.
 */
export function extractPortrait(card: Uint8Array): Uint8Array | null {
  const keyword = `${ASSET_PREFIX}${OWN_PORTRAIT_ASSET}\0`;
  const found = splitChunks(card).find(
    ({ kind, body }) => kind === 'tEXt' && readAscii(body, 0, keyword.length) === keyword,
  );
  return found === undefined ? null : decodeBase64(found.body.subarray(keyword.length));
}

/**
 * Replaces the picture of a card.
 * @param card a PNG that we wrote: its text chunks are at the end
 * @param picture a PNG without text chunks
 */
export function replacePicture(card: Uint8Array, picture: Uint8Array): Uint8Array<ArrayBuffer> {
  const texts = splitChunks(card).filter(({ kind }) => TEXT_CHUNKS.has(kind));
  const drawn = splitChunks(picture);
  return joinBytes([
    PNG_SIGNATURE,
    ...drawn.filter(({ kind }) => kind !== 'IEND').map(({ bytes }) => bytes),
    ...texts.map(({ bytes }) => bytes),
    ...drawn.filter(({ kind }) => kind === 'IEND').map(({ bytes }) => bytes),
  ]);
}
