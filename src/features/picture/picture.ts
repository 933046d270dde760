import { imageDimensionsFromData } from 'image-dimensions';
import { PICTURE } from './limits.ts';
import { computeHash } from '../../lib/hash.ts';
import { sanitizeAvif } from './avif.ts';
import { joinBytes, readAscii, readUint } from './bytes.ts';
import { sanitizeGif } from './gif.ts';
import { sanitizeJpeg } from './jpeg.ts';
import { sanitizePng } from './png.ts';
import { sanitizeWebp } from './webp.ts';

/** The kinds of pictures that people may bring; also how their keys end. */
export type PictureKind = 'png' | 'jpg' | 'webp' | 'gif' | 'avif';

export const PICTURE_TYPES: Record<PictureKind, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

export type SanitizedPicture =
  | { ok: true; kind: PictureKind; bytes: Uint8Array }
  /** `unknown`: none of the kinds; `damaged`: cut off, broken or not understood; `dimensions`: no pixels, or too many. */
  | { ok: false; reason: 'unknown' | 'damaged' | 'dimensions' };

const SANITIZERS: Record<PictureKind, (sent: Uint8Array) => Uint8Array | null> = {
  png: sanitizePng,
  jpg: sanitizeJpeg,
  webp: sanitizeWebp,
  gif: (sent) => sanitizeGif(sent, PICTURE.maxSidePx),
  avif: sanitizeAvif,
};

/**
 * A picture as it may be kept and shown: what it is goes by its own bytes, and of what it holds only what draws it
 * stays. Where it was taken, when, by whom and with what is gone, and so is whatever was hung on behind its end. The
 * pixels are not touched. Takes any bytes, and never throws.
 */
export function sanitizePicture(sent: Uint8Array): SanitizedPicture {
  const kind = detectPictureKind(sent);
  if (kind === null) return { ok: false, reason: 'unknown' };
  const bytes = SANITIZERS[kind](sent);
  const sides = bytes === null ? undefined : imageDimensionsFromData(bytes);
  if (bytes === null || sides === undefined) return { ok: false, reason: 'damaged' };
  const possible = [sides.width, sides.height].every((side) => side > 0 && side <= PICTURE.maxSidePx);
  return possible ? { ok: true, kind, bytes } : { ok: false, reason: 'dimensions' };
}

/** What a file is by how it begins; null for anything that is no picture of ours. */
function detectPictureKind(bytes: Uint8Array): PictureKind | null {
  if (readAscii(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'png';
  if (readAscii(bytes, 0, 3) === '\u00ff\u00d8\u00ff') return 'jpg';
  if (['GIF87a', 'GIF89a'].includes(readAscii(bytes, 0, 6))) return 'gif';
  if (readAscii(bytes, 0, 4) === 'RIFF' && readAscii(bytes, 8, 4) === 'WEBP') return 'webp';
  return isAvif(bytes) ? 'avif' : null;
}

/** More names than any file has for what it can be read as. */
const MAX_BRANDS = 32;

function isAvif(bytes: Uint8Array): boolean {
  if (readAscii(bytes, 4, 4) !== 'ftyp') return false;
  const brands = Math.min(Math.floor(readUint(bytes, 0, 4) / 4) - 2, MAX_BRANDS);
  return Array.from({ length: Math.max(0, brands) }, (_, index) =>
    readAscii(bytes, 8 + index * 4, 4),
  ).includes('avif');
}

/**
 * The key that a picture is kept under: of its owner and its content, so that one person's is never another's, and the
 * same one twice is one.
 */
export async function computePictureKey(
  ownerId: string,
  { kind, bytes }: { kind: PictureKind; bytes: Uint8Array },
) {
  const whole = joinBytes([new TextEncoder().encode(`${ownerId}\n`), bytes]);
  return `${(await computeHash(whole)).slice(0, KEY_DIGITS)}.${kind}`;
}

const KEY_DIGITS = 32;
