import type { MessageMenuState } from './state/messages-state.ts';

/** In pixels: a menu keeps off the window's edges, and off the button it belongs to. */
const EDGE_PX = 8;
const GAP_PX = 4;

interface Size {
  width: number;
  height: number;
}

/**
 * Where a menu stands in a window, in pixels: under what opened it, over it, or at its side, and over its very place
 * only where there is room nowhere else. Without anything beside it, at the lower edge.
 */
export function getMenuPosition(
  anchor: MessageMenuState['anchor'],
  { width, height }: Size,
  window: Size,
): { top: number; left: number } {
  const max = { top: window.height - EDGE_PX - height, left: window.width - EDGE_PX - width };
  const clamp = (top: number, left: number) => ({
    top: Math.max(EDGE_PX, Math.min(top, max.top)),
    left: Math.max(EDGE_PX, Math.min(left, max.left)),
  });
  if (!anchor) return clamp(max.top, (window.width - width) / 2);
  const below = anchor.bottom + GAP_PX;
  if (below <= max.top) return clamp(below, anchor.left);
  const above = anchor.top - GAP_PX - height;
  if (above >= EDGE_PX) return clamp(above, anchor.left);
  const after = anchor.right + GAP_PX;
  if (after <= max.left) return clamp(anchor.top, after);
  const before = anchor.left - GAP_PX - width;
  return clamp(anchor.top, before >= EDGE_PX ? before : anchor.left);
}
