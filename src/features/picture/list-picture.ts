import { imageDimensionsFromData } from 'image-dimensions';
import { PICTURE } from './limits.ts';
import { type PictureKind, sanitizePicture } from './picture.ts';

/** Still pictures: a list of moving ones would take a phone's memory for each of their frames. */
const STILL_KINDS = new Set<PictureKind>(['jpg', 'webp']);

/** How much the proportions may differ, because sides are whole pixels. */
const RATIO_TOLERANCE = 0.02;

/** Returns the storage key of a picture at list size. */
export const getListPictureKey = (key: string): string => `list/${key}`;

/** Returns the storage keys of a picture in all sizes. */
export const getAllPictureKeys = (key: string): string[] => [key, getListPictureKey(key)];

function decodeBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Whether a WebP file has frames. */
const isAnimatedWebp = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(12, 16)) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;

/**
 * Parses the picture at list size that a browser made of a picture: a still JPEG or WebP picture of the same proportions.
 * @param sent in base64
 * @param whole the bytes of the whole picture
 * @returns null when it is anything else; lists then show the whole picture
 */
export function parseListPicture(
  sent: string,
  whole: Uint8Array,
): { kind: PictureKind; bytes: Uint8Array } | null {
  const decoded = decodeBase64(sent);
  const picture = decoded === null ? null : sanitizePicture(decoded);
  if (picture === null || !picture.ok || !STILL_KINDS.has(picture.kind)) return null;
  if (picture.kind === 'webp' && isAnimatedWebp(picture.bytes)) return null;
  const [small, large] = [imageDimensionsFromData(picture.bytes), imageDimensionsFromData(whole)];
  if (small === undefined || large === undefined) return null;
  if (small.width > PICTURE.maxListWidthPx || small.height > PICTURE.maxListHeightPx) return null;
  const difference = (small.width / small.height) * (large.height / large.width) - 1;
  return Math.abs(difference) <= RATIO_TOLERANCE ? { kind: picture.kind, bytes: picture.bytes } : null;
}
