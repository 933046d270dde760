import { BODY_LIMITS } from '../../config/body-limits.ts';
import { PICTURE } from '../../features/picture/limits.ts';
import {
  CENTERED_CROP,
  type Crop,
  type Frame,
  MAX_SOURCE_PX,
  getOutputSize,
  getVisibleRect,
} from './picture-crop.ts';

/** Accepted picture formats. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const;

/** Why a chosen file was rejected. */
export type PictureError = 'picture_svg' | 'picture_type' | 'picture_gifLarge' | 'picture_unreadable';

/** Largest picture that is uploaded, in MiB. */
export const MAX_PICTURE_MB = BODY_LIMITS.avatar / 1024 / 1024;

/** Largest picture that is shrunk before the upload, in bytes; above what cameras write. */
const MAX_SOURCE_BYTES = 64 * 1024 * 1024;

/** Rejects a file by its type and size; null if it may be opened. SVG is rejected because it may contain scripts. */
export function checkPictureFile({ type, size }: Pick<File, 'type' | 'size'>): PictureError | null {
  if (type === 'image/svg+xml') return 'picture_svg';
  if (!(PICTURE_TYPES as readonly string[]).includes(type)) return 'picture_type';
  // Shrinking a GIF would take away its movement.
  if (type === 'image/gif' && size > BODY_LIMITS.avatar) return 'picture_gifLarge';
  return size > MAX_SOURCE_BYTES ? 'picture_unreadable' : null;
}

/** Decodes a chosen file. */
export async function openPicture(file: File): Promise<ImageBitmap | PictureError> {
  const error = checkPictureFile(file);
  if (error !== null) return error;
  try {
    const picture = await createImageBitmap(file);
    if (Math.max(picture.width, picture.height) <= MAX_SOURCE_PX) return picture;
    picture.close();
  } catch {
    // Reported as unreadable below.
  }
  return 'picture_unreadable';
}

/** Draws the visible part onto a canvas of the given size. */
export function drawCrop(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  crop: Crop,
  size: { width: number; height: number },
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  canvas.width = size.width;
  canvas.height = size.height;
  context.imageSmoothingQuality = 'high';
  const { left, top, width, height } = getVisibleRect(picture, crop, size);
  context.drawImage(picture, left, top, width, height, 0, 0, size.width, size.height);
}

/** Encoder quality from 0 to 1; no visible loss at this size. */
const ENCODING_QUALITY = 0.88;

const encodeCanvas = (canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });

/**
 * Encodes the visible part as a small picture in the frame's proportions, without metadata such as location and camera.
 * @returns null if the browser cannot encode a picture
 */
export async function cropPicture(picture: ImageBitmap, crop: Crop, frame: Frame): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  drawCrop(canvas, picture, crop, getOutputSize(picture, crop, frame));
  return encodePicture(canvas);
}

/** The longest picture at list size, in base64: it travels in a form field. */
const MAX_LIST_PICTURE_CHARS = 60_000;
const LIST_QUALITY = 0.8;

/**
 * Draws a picture at list size.
 * @returns base64; null if the browser cannot draw it small enough
 */
export async function createListPicture(picture: Blob): Promise<string | null> {
  try {
    const whole = await createImageBitmap(picture);
    const scale = Math.min(1, PICTURE.maxListWidthPx / whole.width, PICTURE.maxListHeightPx / whole.height);
    const canvas = document.createElement('canvas');
    const size = { width: Math.round(whole.width * scale), height: Math.round(whole.height * scale) };
    drawCrop(canvas, whole, CENTERED_CROP, size);
    whole.close();
    const encoded = await encodePicture(canvas, LIST_QUALITY);
    if (encoded === null) return null;
    const bytes = new Uint8Array(await encoded.arrayBuffer());
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    return base64.length <= MAX_LIST_PICTURE_CHARS ? base64 : null;
  } catch {
    return null;
  }
}

/** Encodes a canvas as WebP, or as JPEG in browsers that cannot encode WebP; null if the browser can do neither. */
export async function encodePicture(
  canvas: HTMLCanvasElement,
  quality = ENCODING_QUALITY,
): Promise<Blob | null> {
  const webp = await encodeCanvas(canvas, 'image/webp', quality);
  if (webp?.type === 'image/webp') return webp;
  // JPEG has no transparency, which would come out black; draw white underneath.
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return encodeCanvas(canvas, 'image/jpeg', quality);
}
