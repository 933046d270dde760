interface Size {
  width: number;
  height: number;
}

/** What a picture is cut to: its proportions, and the most that is sent of it, in pixels. */
export type Frame = Readonly<Size>;

/** How a picture is cut to a frame: how near, and where. */
export interface Crop {
  /** From 1, where the picture fills the frame just so, to {@link MAX_ZOOM}. */
  zoom: number;
  /** Where the frame lies in what is left over, from 0 (start, top) to 1. */
  x: number;
  y: number;
}

export const MAX_ZOOM = 4;
/** Of a person: twice the largest that it is drawn. */
export const AVATAR_FRAME: Frame = { width: 512, height: 512 };
/** Of a character, as its cards are drawn, sharp on a phone's whole width. */
export const PORTRAIT_FRAME: Frame = { width: 768, height: 1024 };
/** No camera's picture is larger; what is would cost a phone its memory. In pixels a side. */
export const MAX_SOURCE_PX = 12_000;

export const CENTERED_CROP: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** The part of the picture that shows, in the picture's own pixels. */
export function getVisibleRect(
  { width, height }: Size,
  crop: Crop,
  frame: Frame,
): Size & { left: number; top: number } {
  const scale = Math.min(width / frame.width, height / frame.height) / crop.zoom;
  const part = { width: frame.width * scale, height: frame.height * scale };
  return { ...part, left: (width - part.width) * crop.x, top: (height - part.height) * crop.y };
}

/** The size of what is sent, in pixels: never more than there is. */
export function getOutputSize(size: Size, crop: Crop, frame: Frame): Size {
  const part = getVisibleRect(size, crop, frame);
  const scale = Math.min(1, part.width / frame.width);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(frame.width), height: side(frame.height) };
}

const clampRatio = (part: number): number => Math.min(1, Math.max(0, part));

/**
 * The crop after the picture was dragged.
 * @param offset how far, as parts of the frame's width and height on the screen
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
