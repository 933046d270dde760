import type { MenuPlace } from './state/messages-state.ts';

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
export function placeOfMenu(
  beside: MenuPlace['beside'],
  { width, height }: Size,
  window: Size,
): { top: number; left: number } {
  const last = { top: window.height - EDGE_PX - height, left: window.width - EDGE_PX - width };
  const within = (top: number, left: number) => ({
    top: Math.max(EDGE_PX, Math.min(top, last.top)),
    left: Math.max(EDGE_PX, Math.min(left, last.left)),
  });
  if (!beside) return within(last.top, (window.width - width) / 2);
  const under = beside.bottom + GAP_PX;
  if (under <= last.top) return within(under, beside.left);
  const over = beside.top - GAP_PX - height;
  if (over >= EDGE_PX) return within(over, beside.left);
  const after = beside.right + GAP_PX;
  if (after <= last.left) return within(beside.top, after);
  const before = beside.left - GAP_PX - width;
  return within(beside.top, before >= EDGE_PX ? before : beside.left);
}
