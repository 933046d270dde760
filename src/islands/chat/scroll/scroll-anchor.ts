import {
  containsRange,
  createRowHeights,
  expandRange,
  type ListEntry,
  type RowRange,
} from './virtual-window.ts';

/** Within so many pixels of the end a reader counts as reading the newest. */
const MAX_END_DISTANCE_PX = 80;
/** So long after its last move a reader's hand counts as still on the page: nothing pulls against it. */
const USER_SCROLL_MS = 250;
/** So long a change of the box below may make the browser scroll by itself. */
const LAYOUT_CHANGE_MS = 150;
/** What moved by less did not move: heights are not whole pixels. */
const MIN_SHIFT_PX = 0.5;
/** How far beyond what is seen rows stand in the page, in heights of what is seen. */
const OVERSCAN = 1.5;
/** So long a message that was looked for stands out. */
const HIGHLIGHT_MS = 2400;

/** Where the rows that stand in the page begin and end, and which others stay; all by their keys. */
export interface RowWindow {
  first: string;
  last: string;
  kept: readonly string[];
}

/** What was committed to the page. */
export interface RenderedList {
  keys: readonly string[];
  entries: readonly ListEntry[];
  window: RowRange;
  /** The newest message of all is among the rows. */
  includesNewest: boolean;
  /** Where the first row stands in the whole list, from 1, and how long that is; -1 when it cannot be told. */
  position: { size: number; first: number };
}

interface RenderedRow {
  entry: ListEntry;
  element: HTMLElement;
  /** What stands above the row and goes along with it. */
  mark: HTMLElement | null;
}

/** What keeps a scrolled list where its reader is, and decides which of its rows stand in the page. */
export interface ScrollAnchor {
  /** Begins to look after a list; the answer ends that. */
  attach(scroller: HTMLElement, content: HTMLElement, list: HTMLElement): () => void;
  /** To be called with everything new in the page, before it is painted. */
  handleRendered(now: RenderedList): void;
  /** Another conversation begins at its own place. */
  reset(fromStart: boolean): void;
  /** Goes to the newest and stays with it. */
  scrollToNewest(): void;
  /** Brings a row into sight and has it stand out, as soon as it stands in the page. */
  scrollToRow(key: string): void;
  /** What comes in now must not move the reader. */
  stopFollowing(): void;
  /** The room is about to change: scrolling in the next moment is nobody's wish. */
  expectLayoutChange(): void;
  recordUserScroll(): void;
  handleScroll(): void;
}

/**
 * How soon rows are wanted: at leisure when they only lie ready beyond what is seen, now when that is empty without
 * them, and at once when it is being scrolled, too.
 */
export type Urgency = 'leisure' | 'now' | 'at once';

/**
 * @param requestRows asks for other rows in the page
 * @param onAwayChange tells whether the reader is somewhere else than at the newest
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
  // What the first gap's height differs by from the rows that it stands for.
  let gapDrift = 0;
  // What is being read, by the finest element there is, and where in the text it stands.
  let anchors: { element: Element; top: number }[] = [];
  let targetKey: string | null = null;

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

  /** Tells those who cannot see it how long the list is; where all of it stands in the page, browsers tell it. */
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

  /** Puts what is being read back to where it stood; the reader's own scrolling stays as it is. */
  function restoreAnchor(box: HTMLElement, canResizeGap: boolean): void {
    const anchor = anchors.find(({ element }) => element.isConnected);
    if (!anchor) return;
    const moved = getTop(box, anchor.element) - anchor.top;
    if (Math.abs(moved) < MIN_SHIFT_PX) return;
    const gap = canResizeGap && now.entries[0]?.kind === 'gap' ? list?.firstElementChild : null;
    // A scroll position that is set stops a page that was pushed, in some browsers; room above that is empty does not.
    if (gap instanceof HTMLElement && gap.offsetHeight - moved >= 0) {
      gapDrift -= moved;
      setHeight(gap, gap.getBoundingClientRect().height - moved);
    } else box.scrollTop += moved;
  }

  /** Brings the row that is looked for into the middle of what is seen. @returns whether it stands in the page */
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

  /** Notes what is being read. @returns the rows that are seen */
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
      // Above the first rows the end of the room is what is sure, elsewhere its beginning.
      const base =
        entry.from === 0
          ? heights.getOffset(entry.to + 1) - rect.bottom
          : heights.getOffset(entry.from) - rect.top;
      const within = (y: number) => Math.min(Math.max(heights.findRowAt(base + y), entry.from), entry.to);
      includeRows(within(Math.max(top, rect.top)), within(Math.min(bottom, rect.bottom - 1)));
    }
    return seen.from > seen.to ? { ...now.window } : seen;
  }

  /** Asks for other rows when those in the page do not reach far enough round what is seen. */
  function ensureRows(seen: RowRange, box: HTMLElement, isScrolled = false): void {
    const { length } = now.keys;
    if (length === 0 || now.entries.every(({ kind }) => kind === 'row')) return;
    const reach = Math.max(box.clientHeight, 1) * OVERSCAN;
    if (containsRange(now.window, expandRange(seen, length, reach / 2, heights.height))) return;
    const { from, to } = expandRange(seen, length, reach, heights.height);
    const shown = { first: now.keys[from] ?? '', last: now.keys[to] ?? '', kept: listBusyRows() };
    requestRows(shown, containsRange(now.window, seen) ? 'leisure' : isScrolled ? 'at once' : 'now');
  }

  /** The rows with which something is being done, and the neighbours of the one that has the focus. */
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

  /** Whether somebody writes over a message that is seen. */
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
      // What one writes in stays in its place, and so does what was written when it is done.
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
    // In another width everything has another height.
    if (scroller && metrics.width !== 0 && scroller.clientWidth !== metrics.width) heights.reset();
    measureRows();
    updatePosition();
  };

  return {
    attach(box, content, rows) {
      scroller = box;
      list = rows;
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
      // First of all: a list that is too short for a moment loses its place.
      sizeGaps();
      measureRows();
      updatePosition(!grewAbove);
    },
    reset(fromStart) {
      isFollowing = !fromStart;
      isEditing = false;
      anchors = [];
      targetKey = null;
      if (scroller && fromStart) scroller.scrollTop = 0;
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
      // The box below grew or the text did: the reader moved nothing.
      if (!isUserScrolling() && (changed || (isFollowing && performance.now() < layoutChangeUntil)))
        return updatePosition();
      // A page that was pushed goes on by itself for a while.
      if (box.scrollTop < metrics.top) userScrolledAt = performance.now();
      isFollowing = now.includesNewest && isAtEnd(box);
      const seen = recordAnchors(box);
      recordMetrics(box);
      ensureRows(seen, box, true);
    },
  };
}

/**
 * The part of a message's text that stands at a height of the window, or what stands below the text. Never the row
 * itself where there is anything in it: a day's name at its top comes and goes with the messages before it.
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

/** Has a message that was looked for stand out for a moment, and those who listen hear it, unless they are writing. */
function highlightRow(row: HTMLElement): void {
  row.dataset['lookedAt'] = '';
  setTimeout(() => delete row.dataset['lookedAt'], HIGHLIGHT_MS);
  if (document.activeElement?.matches('input, textarea')) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
