import { imageDimensionsFromData } from 'image-dimensions';
import { PICTURE } from './limits.ts';
import { computeHash } from '../../lib/hash.ts';
import { sanitizeAvif } from './avif.ts';
import { joinBytes, readAscii, readUint } from './bytes.ts';
import { sanitizeGif } from './gif.ts';
import { sanitizeJpeg } from './jpeg.ts';
import { sanitizePng } from './png.ts';
import { sanitizeWebp } from './webp.ts';

/** Supported formats, which are also the extensions of keys. */
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
  /** `unknown`: an unsupported format; `damaged`: cut off or not understood; `dimensions`: zero or too many pixels. */
  | { ok: false; reason: 'unknown' | 'damaged' | 'dimensions' };

const SANITIZERS: Record<PictureKind, (sent: Uint8Array) => Uint8Array | null> = {
  png: sanitizePng,
  jpg: sanitizeJpeg,
  webp: sanitizeWebp,
  gif: (sent) => sanitizeGif(sent, PICTURE.maxSidePx),
  avif: sanitizeAvif,
};

/**
 * Reduces a picture to the data that draws it. The format is detected from its bytes. Metadata such as place, time,
 * author and device is removed, and so are bytes after the end; pixels stay unchanged. Never throws.
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

/** Detects the format from the first bytes; null if it is unsupported. */
function detectPictureKind(bytes: Uint8Array): PictureKind | null {
  if (readAscii(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'png';
  if (readAscii(bytes, 0, 3) === '\u00ff\u00d8\u00ff') return 'jpg';
  if (['GIF87a', 'GIF89a'].includes(readAscii(bytes, 0, 6))) return 'gif';
  if (readAscii(bytes, 0, 4) === 'RIFF' && readAscii(bytes, 8, 4) === 'WEBP') return 'webp';
  return isAvif(bytes) ? 'avif' : null;
}

/** More brands than any real file declares. */
const MAX_BRANDS = 32;

function isAvif(bytes: Uint8Array): boolean {
  if (readAscii(bytes, 4, 4) !== 'ftyp') return false;
  const brands = Math.min(Math.floor(readUint(bytes, 0, 4) / 4) - 2, MAX_BRANDS);
  return Array.from({ length: Math.max(0, brands) }, (_, index) =>
    readAscii(bytes, 8 + index * 4, 4),
  ).includes('avif');
}

/** The storage key: a hash of owner and content, so users never share a picture, and the same upload has the same key. */
export async function computePictureKey(
  ownerId: string,
  { kind, bytes }: { kind: PictureKind; bytes: Uint8Array },
) {
  const whole = joinBytes([new TextEncoder().encode(`${ownerId}\n`), bytes]);
  return `${(await computeHash(whole)).slice(0, KEY_DIGITS)}.${kind}`;
}

const KEY_DIGITS = 32;
