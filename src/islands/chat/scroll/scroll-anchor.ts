import {
  containsRange,
  createRowHeights,
  expandRange,
  type ListEntry,
  type RowRange,
} from './virtual-window.ts';

/** Pixels from the end within which the user counts as reading the newest message. */
const MAX_END_DISTANCE_PX = 80;
/** Milliseconds after the last user input during which the list does not scroll by itself. */
const USER_SCROLL_MS = 250;
/** Milliseconds during which a resized composer may make the browser scroll. */
const LAYOUT_CHANGE_MS = 150;
/** Pixels. Smaller shifts are ignored, because heights are fractional. */
const MIN_SHIFT_PX = 0.5;
/** Rows are rendered this far beyond the viewport, in viewport heights. */
const OVERSCAN = 1.5;
/** Milliseconds for which a row is highlighted after a jump to it. */
const HIGHLIGHT_MS = 2400;

/** The rendered rows: the first and last of the window, and others that must stay; all by key. */
export interface RowWindow {
  first: string;
  last: string;
  kept: readonly string[];
}

/** The state that was last rendered. */
export interface RenderedList {
  keys: readonly string[];
  entries: readonly ListEntry[];
  window: RowRange;
  /** Whether the newest message of the conversation is loaded. */
  includesNewest: boolean;
  /** The length of the whole list, -1 when unknown, and the position of the first loaded row, starting at 1. */
  position: { size: number; first: number };
}

interface RenderedRow {
  entry: ListEntry;
  element: HTMLElement;
  /** An element above the row that belongs to it. */
  mark: HTMLElement | null;
}

/** Keeps the scroll position of a virtual list stable and decides which rows are rendered. */
export interface ScrollAnchor {
  /**
   * Starts watching a list.
   * @returns a function that stops watching
   */
  attach(scroller: HTMLElement, content: HTMLElement, list: HTMLElement): () => void;
  /** Call after each render, before the browser paints. */
  handleRendered(now: RenderedList): void;
  /** Starts over for another conversation, at its start or its end. */
  reset(fromStart: boolean): void;
  /** Scrolls to the newest message and follows it. */
  scrollToNewest(): void;
  /** Scrolls to a row and highlights it, as soon as it is rendered. */
  scrollToRow(key: string): void;
  /** New content must no longer scroll the list. */
  stopFollowing(): void;
  /** The layout is about to change: scroll events that follow are not the user's. */
  expectLayoutChange(): void;
  recordUserScroll(): void;
  handleScroll(): void;
}

/**
 * How soon rows are needed. `leisure`: only beyond the viewport. `now`: the viewport has a gap. `at once`: it has a gap
 * during scrolling.
 */
export type Urgency = 'leisure' | 'now' | 'at once';

/**
 * @param requestRows asks for other rows to be rendered
 * @param onAwayChange gets whether the user is away from the newest message
 */
export function createScrollAnchor(
  requestRows: (shown: RowWindow, urgency: Urgency) => void,
  onAwayChange: (isAway: boolean) => void,
): ScrollAnchor {
  const heights = createRowHeights();
  let scroller: HTMLElement | null = null;
  let list: HTMLElement | null = null;
  let now: RenderedList = {
    keys: [],
    entries: [],
    window: { from: 0, to: -1 },
    includesNewest: true,
    position: { size: 0, first: 1 },
  };
  let isFollowing = true;
  let isEditing = false;
  let userScrolledAt = -USER_SCROLL_MS;
  let layoutChangeUntil = 0;
  let metrics = { top: 0, height: 0, room: 0, width: 0 };
  let firstKey: string | undefined;
  // The difference between the first gap's height and the rows that it replaces.
  let gapDrift = 0;
  // The topmost visible content, finest element first, with its position in the scrolled content.
  let anchors: { element: Element; top: number }[] = [];
  let targetKey: string | null = null;
  // The user scrolled the page's HTML before its script ran.
  let isScrolledEarly = false;
  // The device's choices that the heights are for.
  let settings: string | undefined;

  const isUserScrolling = () => performance.now() - userScrolledAt <= USER_SCROLL_MS;
  const isAtEnd = (box: HTMLElement) =>
    box.scrollHeight - box.scrollTop - box.clientHeight <= MAX_END_DISTANCE_PX;
  const getTop = (box: HTMLElement, element: Element) =>
    element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;

  function* slots(): Generator<RenderedRow> {
    let next = list?.firstElementChild ?? null;
    for (const entry of now.entries) {
      const mark = next instanceof HTMLElement && next.dataset['mark'] !== undefined ? next : null;
      if (mark) next = mark.nextElementSibling;
      if (!(next instanceof HTMLElement)) return;
      yield { entry, element: next, mark };
      next = next.nextElementSibling;
    }
  }

  function measureRows(): void {
    for (const { entry, element, mark } of slots()) {
      if (entry.kind === 'gap') continue;
      const { top, bottom } = element.getBoundingClientRect();
      heights.recordHeight(entry.index, bottom - (mark?.getBoundingClientRect().top ?? top));
    }
  }

  function sizeGaps(): void {
    if (now.entries[0]?.kind !== 'gap') gapDrift = 0;
    for (const { entry, element } of slots()) {
      if (entry.kind !== 'gap') continue;
      const height = heights.getOffset(entry.to + 1) - heights.getOffset(entry.from);
      setHeight(element, height + (entry.from === 0 ? gapDrift : 0));
    }
  }

  /** Sets the ARIA position and length of each row while some rows are missing; otherwise browsers compute them. */
  function updateAriaPositions(): void {
    const { size, first } = now.position;
    const all = size === now.keys.length && now.entries.every(({ kind }) => kind === 'row');
    for (const { entry, element } of slots()) {
      if (entry.kind === 'gap') continue;
      const { ariaPosInSet, ariaSetSize } = element;
      const [at, of] = all ? [null, null] : [String(first + entry.index), String(size)];
      if (ariaPosInSet !== at) element.ariaPosInSet = at;
      if (ariaSetSize !== of) element.ariaSetSize = of;
    }
  }

  /** Scrolls the content that was visible back to its position, without undoing the user's own scrolling. */
  function restoreAnchor(box: HTMLElement, canResizeGap: boolean): void {
    const anchor = anchors.find(({ element }) => element.isConnected);
    if (!anchor) return;
    const moved = getTop(box, anchor.element) - anchor.top;
    if (Math.abs(moved) < MIN_SHIFT_PX) return;
    const gap = canResizeGap && now.entries[0]?.kind === 'gap' ? list?.firstElementChild : null;
    // Setting scrollTop stops momentum scrolling in some browsers; resizing the gap above does not.
    if (gap instanceof HTMLElement && gap.offsetHeight - moved >= 0) {
      gapDrift -= moved;
      setHeight(gap, gap.getBoundingClientRect().height - moved);
    } else box.scrollTop += moved;
  }

  /**
   * Scrolls the target row to the middle of the viewport.
   * @returns whether the row is rendered
   */
  function scrollToTarget(box: HTMLElement): boolean {
    for (const { entry, element } of slots()) {
      if (entry.kind === 'gap' || now.keys[entry.index] !== targetKey) continue;
      const { height } = element.getBoundingClientRect();
      box.scrollTop = getTop(box, element) - Math.max((box.clientHeight - height) / 2, 16);
      targetKey = null;
      highlightRow(element);
      return true;
    }
    return false;
  }

  /**
   * Records the visible content.
   * @returns the visible rows
   */
  function recordAnchors(box: HTMLElement): RowRange {
    const { top } = box.getBoundingClientRect();
    const bottom = top + box.clientHeight;
    const seen = { from: now.keys.length - 1, to: 0 };
    const includeRows = (from: number, to: number) => {
      seen.from = Math.min(seen.from, from);
      seen.to = Math.max(seen.to, to);
    };
    anchors = [];
    for (const { entry, element, mark } of slots()) {
      const rect = element.getBoundingClientRect();
      const rowTop = mark?.getBoundingClientRect().top ?? rect.top;
      if (rect.bottom <= top + 1) continue;
      if (rowTop >= bottom) break;
      if (entry.kind === 'row') {
        includeRows(entry.index, entry.index);
        if (anchors.length > 0) continue;
        anchors = [findTextPart(element, top + 1), element].map((one) => ({
          element: one,
          top: getTop(box, one),
        }));
        continue;
      }
      // For the gap before the first rows its bottom edge is reliable, for others the top edge.
      const base =
        entry.from === 0
          ? heights.getOffset(entry.to + 1) - rect.bottom
          : heights.getOffset(entry.from) - rect.top;
      const within = (y: number) => Math.min(Math.max(heights.findRowAt(base + y), entry.from), entry.to);
      includeRows(within(Math.max(top, rect.top)), within(Math.min(bottom, rect.bottom - 1)));
    }
    return seen.from > seen.to ? { ...now.window } : seen;
  }

  /** Asks for other rows when the rendered ones do not extend far enough beyond the viewport. */
  function ensureRows(seen: RowRange, box: HTMLElement, isScrolled = false): void {
    const { length } = now.keys;
    if (length === 0 || now.entries.every(({ kind }) => kind === 'row')) return;
    const reach = Math.max(box.clientHeight, 1) * OVERSCAN;
    if (containsRange(now.window, expandRange(seen, length, reach / 2, heights.height))) return;
    const { from, to } = expandRange(seen, length, reach, heights.height);
    const shown = { first: now.keys[from] ?? '', last: now.keys[to] ?? '', kept: listBusyRows() };
    requestRows(shown, containsRange(now.window, seen) ? 'leisure' : isScrolled ? 'at once' : 'now');
  }

  /** The rows in use (edit field or open menu), and the neighbours of the focused row. */
  function listBusyRows(): string[] {
    const kept: string[] = [];
    for (const { entry, element } of slots()) {
      if (entry.kind === 'gap') continue;
      const { index } = entry;
      if (element.matches(':focus-within')) kept.push(...now.keys.slice(Math.max(index - 1, 0), index + 2));
      else if (element.querySelector('textarea, [aria-expanded="true"]')) kept.push(now.keys[index] ?? '');
    }
    return kept;
  }

  function recordMetrics(box: HTMLElement): void {
    const { scrollTop: top, scrollHeight: height, clientHeight: room, clientWidth: width } = box;
    metrics = { top, height, room, width };
    onAwayChange(!now.includesNewest || (!isFollowing && height - top - room > MAX_END_DISTANCE_PX));
  }

  /** Whether a focused edit field is visible. */
  function isEditingInView(box: HTMLElement): boolean {
    const form = list?.querySelector('form:focus-within')?.getBoundingClientRect();
    const room = box.getBoundingClientRect();
    return form !== undefined && form.bottom > room.top && form.top < room.bottom;
  }

  function updatePosition(gapMayGive = false): void {
    const box = scroller;
    if (!box || now.keys.length === 0) return;
    const wasEditing = isEditing;
    isEditing = isEditingInView(box);
    if (targetKey === null || !scrollToTarget(box)) {
      // Keep an edit field in place, and its message after editing ends.
      const isFree = !isUserScrolling() && !isEditing && !wasEditing;
      if (isFollowing && now.includesNewest && isFree) box.scrollTop = box.scrollHeight;
      else restoreAnchor(box, gapMayGive);
      if (wasEditing && !isEditing) isFollowing = now.includesNewest && isAtEnd(box);
    }
    const seen = recordAnchors(box);
    recordMetrics(box);
    ensureRows(seen, box);
  }

  const handleResize = () => {
    // A new width, and another appearance, such as a larger text, change all heights.
    const latest = document.documentElement.dataset['chatSettings'];
    const isResized = scroller && metrics.width !== 0 && scroller.clientWidth !== metrics.width;
    if (isResized || latest !== settings) heights.reset();
    settings = latest;
    measureRows();
    updatePosition();
  };

  return {
    attach(box, content, rows) {
      scroller = box;
      list = rows;
      isScrolledEarly = box.scrollTop > 0 && !isAtEnd(box);
      settings = document.documentElement.dataset['chatSettings'];
      const watched = new ResizeObserver(handleResize);
      watched.observe(box);
      watched.observe(content);
      return () => {
        watched.disconnect();
        scroller = null;
        list = null;
      };
    },
    handleRendered(latest) {
      const grewAbove = latest.keys[0] !== firstKey;
      firstKey = latest.keys[0];
      now = latest;
      heights.setRows(latest.keys);
      updateAriaPositions();
      // Size the gaps first: a list that is too short even briefly loses its scroll position.
      sizeGaps();
      measureRows();
      updatePosition(!grewAbove);
    },
    reset(fromStart) {
      isFollowing = !fromStart && !isScrolledEarly;
      isScrolledEarly = false;
      isEditing = false;
      anchors = [];
      targetKey = null;
      // Without rows yet, the user reads the greeting of this conversation.
      if (scroller && fromStart && now.keys.length > 0) scroller.scrollTop = 0;
    },
    scrollToNewest() {
      isFollowing = true;
      isEditing = false;
      userScrolledAt = -USER_SCROLL_MS;
      targetKey = null;
      updatePosition();
    },
    scrollToRow(key) {
      isFollowing = false;
      userScrolledAt = -USER_SCROLL_MS;
      targetKey = key;
      const isRendered = [...slots()].some(
        ({ entry }) => entry.kind === 'row' && now.keys[entry.index] === key,
      );
      if (isRendered) return updatePosition();
      const index = now.keys.indexOf(key);
      if (index === -1 || !scroller) return;
      const reach = scroller.clientHeight * OVERSCAN;
      const { from, to } = expandRange({ from: index, to: index }, now.keys.length, reach, heights.height);
      requestRows({ first: now.keys[from] ?? '', last: now.keys[to] ?? '', kept: listBusyRows() }, 'now');
    },
    stopFollowing() {
      isFollowing = false;
    },
    expectLayoutChange() {
      layoutChangeUntil = performance.now() + LAYOUT_CHANGE_MS;
    },
    recordUserScroll() {
      userScrolledAt = performance.now();
    },
    handleScroll() {
      const box = scroller;
      if (!box) return;
      const changed = box.scrollHeight !== metrics.height || box.clientHeight !== metrics.room;
      // The composer or the text grew; the user did not scroll.
      if (!isUserScrolling() && (changed || (isFollowing && performance.now() < layoutChangeUntil)))
        return updatePosition();
      // Momentum scrolling continues after the last touch.
      if (box.scrollTop < metrics.top) userScrolledAt = performance.now();
      isFollowing = now.includesNewest && isAtEnd(box);
      const seen = recordAnchors(box);
      recordMetrics(box);
      ensureRows(seen, box, true);
    },
  };
}

/**
 * The part of a message's text at a vertical position in the window, or the part below the text. Not the row itself if
 * possible: the day divider at its top depends on the messages before it.
 */
function findTextPart(row: HTMLElement, y: number): Element {
  for (const part of row.querySelectorAll('.story > *, .story ~ *'))
    if (part.getBoundingClientRect().bottom > y) return part;
  return row.lastElementChild ?? row;
}

function setHeight(element: HTMLElement, px: number): void {
  const height = `${Math.max(px, 0)}px`;
  if (element.style.blockSize !== height) element.style.blockSize = height;
}

/** Highlights a row after a jump to it and focuses it for screen readers, unless the user is typing. */
function highlightRow(row: HTMLElement): void {
  row.dataset['lookedAt'] = '';
  setTimeout(() => delete row.dataset['lookedAt'], HIGHLIGHT_MS);
  if (document.activeElement?.matches('input, textarea')) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
