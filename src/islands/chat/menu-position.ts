import type { MessageMenuState } from './state/messages-state.ts';

/** Pixels between the menu and the window's edges, and between the menu and its button. */
const EDGE_PX = 8;
const GAP_PX = 4;

interface Size {
  width: number;
  height: number;
}

/**
 * Computes a menu's position in the window, in pixels: below its anchor, else above it, else at either side; over it only
 * when there is room nowhere else. Without an anchor, at the bottom of the window.
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
