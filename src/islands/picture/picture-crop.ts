interface Size {
  width: number;
  height: number;
}

/** Target of a crop: its proportions and largest size, in pixels. */
export type Frame = Readonly<Size>;

/** A crop: zoom and position. */
export interface Crop {
  /** From 1, where the picture just covers the frame, to {@link MAX_ZOOM}. */
  zoom: number;
  /** Position of the frame within the remaining space, from 0 (left, top) to 1. */
  x: number;
  y: number;
}

export const MAX_ZOOM = 4;
/** Avatar: twice the largest size at which it is shown. */
export const AVATAR_FRAME: Frame = { width: 512, height: 512 };
/** Character portrait: sharp at a phone's full width. */
export const PORTRAIT_FRAME: Frame = { width: 768, height: 1024 };
/** Longest accepted side in pixels, above any camera's; larger pictures would exhaust a phone's memory. */
export const MAX_SOURCE_PX = 12_000;

export const CENTERED_CROP: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** The visible part of the picture, in its own pixels. */
export function getVisibleRect(
  { width, height }: Size,
  crop: Crop,
  frame: Frame,
): Size & { left: number; top: number } {
  const scale = Math.min(width / frame.width, height / frame.height) / crop.zoom;
  const part = { width: frame.width * scale, height: frame.height * scale };
  return { ...part, left: (width - part.width) * crop.x, top: (height - part.height) * crop.y };
}

/** The output size in pixels; never enlarges. */
export function getOutputSize(size: Size, crop: Crop, frame: Frame): Size {
  const part = getVisibleRect(size, crop, frame);
  const scale = Math.min(1, part.width / frame.width);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(frame.width), height: side(frame.height) };
}

const clampRatio = (part: number): number => Math.min(1, Math.max(0, part));

/**
 * The crop after dragging the picture.
 * @param offset distance as a fraction of the frame's width and height on screen
 */
export function dragCrop(size: Size, crop: Crop, frame: Frame, offset: { x: number; y: number }): Crop {
  const shown = getVisibleRect(size, crop, frame);
  const along = (from: number, length: number, side: number, part: number) =>
    length > side ? clampRatio(from - (part * side) / (length - side)) : from;
  return {
    ...crop,
    x: along(crop.x, size.width, shown.width, offset.x),
    y: along(crop.y, size.height, shown.height, offset.y),
  };
}
