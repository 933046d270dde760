import { covers, createRowHeights, spanAround, type Entry, type Span } from './virtual-window.ts';

/** Within so many pixels of the end a reader counts as reading the newest. */
const AT_END_PX = 80;
/** So long after its last move a reader's hand counts as still on the page: nothing pulls against it. */
const HAND_MS = 250;
/** So long a change of the box below may make the browser scroll by itself. */
const BRACE_MS = 150;
/** What moved by less did not move: heights are not whole pixels. */
const STILL_PX = 0.5;
/** How far beyond what is seen rows stand in the page, in heights of what is seen. */
const REACH = 1.5;
/** So long a message that was looked for stands out. */
const LOOKED_AT_MS = 2400;

/** Where the rows that stand in the page begin and end, and which others stay; all by their keys. */
export interface Shown {
  first: string;
  last: string;
  kept: readonly string[];
}

/** What was committed to the page. */
export interface Drawn {
  keys: readonly string[];
  entries: readonly Entry[];
  window: Span;
  /** The newest message of all is among the rows. */
  caughtUp: boolean;
  /** Where the first row stands in the whole list, from 1, and how long that is; -1 when it cannot be told. */
  whole: { size: number; first: number };
}

interface Slot {
  entry: Entry;
  element: HTMLElement;
  /** What stands above the row and goes along with it. */
  mark: HTMLElement | null;
}

/** What keeps a scrolled list where its reader is, and decides which of its rows stand in the page. */
export interface ListPlace {
  /** Begins to look after a list; the answer ends that. */
  attach(scroller: HTMLElement, content: HTMLElement, list: HTMLElement): () => void;
  /** To be called with everything new in the page, before it is painted. */
  drawn(now: Drawn): void;
  /** Another conversation begins at its own place. */
  begin(fromStart: boolean): void;
  /** Goes to the newest and stays with it. */
  toNewest(): void;
  /** Brings a row into sight and has it stand out, as soon as it stands in the page. */
  lookAt(key: string): void;
  /** What comes in now must not move the reader. */
  stay(): void;
  /** The room is about to change: scrolling in the next moment is nobody's wish. */
  brace(): void;
  hand(): void;
  scrolled(): void;
}

/**
 * How soon rows are wanted: at leisure when they only lie ready beyond what is seen, now when that is empty without
 * them, and at once when it is being scrolled, too.
 */
export type Haste = 'leisure' | 'now' | 'at once';

/**
 * @param show asks for other rows in the page
 * @param away tells whether the reader is somewhere else than at the newest
 */
export function createListPlace(
  show: (shown: Shown, haste: Haste) => void,
  away: (isAway: boolean) => void,
): ListPlace {
  const heights = createRowHeights();
  let scroller: HTMLElement | null = null;
  let list: HTMLElement | null = null;
  let now: Drawn = {
    keys: [],
    entries: [],
    window: { from: 0, to: -1 },
    caughtUp: true,
    whole: { size: 0, first: 1 },
  };
  let follows = true;
  let writes = false;
  let handAt = -HAND_MS;
  let bracedUntil = 0;
  let known = { top: 0, height: 0, room: 0, width: 0 };
  let firstKey: string | undefined;
  // What the first gap's height differs by from the rows that it stands for.
  let drift = 0;
  // What is being read, by the finest element there is, and where in the text it stands.
  let anchors: { element: Element; top: number }[] = [];
  let looking: string | null = null;

  const byHand = () => performance.now() - handAt <= HAND_MS;
  const isAtEnd = (box: HTMLElement) => box.scrollHeight - box.scrollTop - box.clientHeight <= AT_END_PX;
  const topIn = (box: HTMLElement, element: Element) =>
    element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;

  function* slots(): Generator<Slot> {
    let next = list?.firstElementChild ?? null;
    for (const entry of now.entries) {
      const mark = next instanceof HTMLElement && next.dataset['mark'] !== undefined ? next : null;
      if (mark) next = mark.nextElementSibling;
      if (!(next instanceof HTMLElement)) return;
      yield { entry, element: next, mark };
      next = next.nextElementSibling;
    }
  }

  function measure(): void {
    for (const { entry, element, mark } of slots()) {
      if (entry.kind === 'gap') continue;
      const { top, bottom } = element.getBoundingClientRect();
      heights.measured(entry.index, bottom - (mark?.getBoundingClientRect().top ?? top));
    }
  }

  function sizeGaps(): void {
    if (now.entries[0]?.kind !== 'gap') drift = 0;
    for (const { entry, element } of slots()) {
      if (entry.kind !== 'gap') continue;
      const height = heights.before(entry.to + 1) - heights.before(entry.from);
      setHeight(element, height + (entry.from === 0 ? drift : 0));
    }
  }

  /** Tells those who cannot see it how long the list is; where all of it stands in the page, browsers tell it. */
  function count(): void {
    const { size, first } = now.whole;
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
  function holdStill(box: HTMLElement, gapMayGive: boolean): void {
    const anchor = anchors.find(({ element }) => element.isConnected);
    if (!anchor) return;
    const moved = topIn(box, anchor.element) - anchor.top;
    if (Math.abs(moved) < STILL_PX) return;
    const gap = gapMayGive && now.entries[0]?.kind === 'gap' ? list?.firstElementChild : null;
    // A scroll position that is set stops a page that was pushed, in some browsers; room above that is empty does not.
    if (gap instanceof HTMLElement && gap.offsetHeight - moved >= 0) {
      drift -= moved;
      setHeight(gap, gap.getBoundingClientRect().height - moved);
    } else box.scrollTop += moved;
  }

  /** Brings the row that is looked for into the middle of what is seen. @returns whether it stands in the page */
  function showLooked(box: HTMLElement): boolean {
    for (const { entry, element } of slots()) {
      if (entry.kind === 'gap' || now.keys[entry.index] !== looking) continue;
      const { height } = element.getBoundingClientRect();
      box.scrollTop = topIn(box, element) - Math.max((box.clientHeight - height) / 2, 16);
      looking = null;
      standOut(element);
      return true;
    }
    return false;
  }

  /** Notes what is being read. @returns the rows that are seen */
  function read(box: HTMLElement): Span {
    const { top } = box.getBoundingClientRect();
    const bottom = top + box.clientHeight;
    const seen = { from: now.keys.length - 1, to: 0 };
    const see = (from: number, to: number) => {
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
        see(entry.index, entry.index);
        if (anchors.length > 0) continue;
        anchors = [partAt(element, top + 1), element].map((one) => ({ element: one, top: topIn(box, one) }));
        continue;
      }
      // Above the first rows the end of the room is what is sure, elsewhere its beginning.
      const base =
        entry.from === 0 ? heights.before(entry.to + 1) - rect.bottom : heights.before(entry.from) - rect.top;
      const within = (y: number) => Math.min(Math.max(heights.at(base + y), entry.from), entry.to);
      see(within(Math.max(top, rect.top)), within(Math.min(bottom, rect.bottom - 1)));
    }
    return seen.from > seen.to ? { ...now.window } : seen;
  }

  /** Asks for other rows when those in the page do not reach far enough round what is seen. */
  function fit(seen: Span, box: HTMLElement, isScrolled = false): void {
    const { length } = now.keys;
    if (length === 0 || now.entries.every(({ kind }) => kind === 'row')) return;
    const reach = Math.max(box.clientHeight, 1) * REACH;
    if (covers(now.window, spanAround(seen, length, reach / 2, heights.height))) return;
    const { from, to } = spanAround(seen, length, reach, heights.height);
    const shown = { first: now.keys[from] ?? '', last: now.keys[to] ?? '', kept: busyRows() };
    show(shown, covers(now.window, seen) ? 'leisure' : isScrolled ? 'at once' : 'now');
  }

  /** The rows with which something is being done, and the neighbours of the one that has the focus. */
  function busyRows(): string[] {
    const kept: string[] = [];
    for (const { entry, element } of slots()) {
      if (entry.kind === 'gap') continue;
      const { index } = entry;
      if (element.matches(':focus-within')) kept.push(...now.keys.slice(Math.max(index - 1, 0), index + 2));
      else if (element.querySelector('textarea, [aria-expanded="true"]')) kept.push(now.keys[index] ?? '');
    }
    return kept;
  }

  function remember(box: HTMLElement): void {
    const { scrollTop: top, scrollHeight: height, clientHeight: room, clientWidth: width } = box;
    known = { top, height, room, width };
    away(!now.caughtUp || (!follows && height - top - room > AT_END_PX));
  }

  /** Whether somebody writes over a message that is seen. */
  function isWrittenIn(box: HTMLElement): boolean {
    const form = list?.querySelector('form:focus-within')?.getBoundingClientRect();
    const room = box.getBoundingClientRect();
    return form !== undefined && form.bottom > room.top && form.top < room.bottom;
  }

  function settle(gapMayGive = false): void {
    const box = scroller;
    if (!box || now.keys.length === 0) return;
    const wrote = writes;
    writes = isWrittenIn(box);
    if (looking === null || !showLooked(box)) {
      // What one writes in stays in its place, and so does what was written when it is done.
      const isFree = !byHand() && !writes && !wrote;
      if (follows && now.caughtUp && isFree) box.scrollTop = box.scrollHeight;
      else holdStill(box, gapMayGive);
      if (wrote && !writes) follows = now.caughtUp && isAtEnd(box);
    }
    const seen = read(box);
    remember(box);
    fit(seen, box);
  }

  const resized = () => {
    // In another width everything has another height.
    if (scroller && known.width !== 0 && scroller.clientWidth !== known.width) heights.forget();
    measure();
    settle();
  };

  return {
    attach(box, content, rows) {
      scroller = box;
      list = rows;
      const watched = new ResizeObserver(resized);
      watched.observe(box);
      watched.observe(content);
      return () => {
        watched.disconnect();
        scroller = null;
        list = null;
      };
    },
    drawn(latest) {
      const grewAbove = latest.keys[0] !== firstKey;
      firstKey = latest.keys[0];
      now = latest;
      heights.setRows(latest.keys);
      count();
      // First of all: a list that is too short for a moment loses its place.
      sizeGaps();
      measure();
      settle(!grewAbove);
    },
    begin(fromStart) {
      follows = !fromStart;
      writes = false;
      anchors = [];
      looking = null;
      if (scroller && fromStart) scroller.scrollTop = 0;
    },
    toNewest() {
      follows = true;
      writes = false;
      handAt = -HAND_MS;
      looking = null;
      settle();
    },
    lookAt(key) {
      follows = false;
      handAt = -HAND_MS;
      looking = key;
      const stands = [...slots()].some(({ entry }) => entry.kind === 'row' && now.keys[entry.index] === key);
      if (stands) return settle();
      const index = now.keys.indexOf(key);
      if (index === -1 || !scroller) return;
      const reach = scroller.clientHeight * REACH;
      const { from, to } = spanAround({ from: index, to: index }, now.keys.length, reach, heights.height);
      show({ first: now.keys[from] ?? '', last: now.keys[to] ?? '', kept: busyRows() }, 'now');
    },
    stay() {
      follows = false;
    },
    brace() {
      bracedUntil = performance.now() + BRACE_MS;
    },
    hand() {
      handAt = performance.now();
    },
    scrolled() {
      const box = scroller;
      if (!box) return;
      const changed = box.scrollHeight !== known.height || box.clientHeight !== known.room;
      // The box below grew or the text did: the reader moved nothing.
      if (!byHand() && (changed || (follows && performance.now() < bracedUntil))) return settle();
      // A page that was pushed goes on by itself for a while.
      if (box.scrollTop < known.top) handAt = performance.now();
      follows = now.caughtUp && isAtEnd(box);
      const seen = read(box);
      remember(box);
      fit(seen, box, true);
    },
  };
}

/**
 * The part of a message's text that stands at a height of the window, or what stands below the text. Never the row
 * itself where there is anything in it: a day's name at its top comes and goes with the messages before it.
 */
function partAt(row: HTMLElement, y: number): Element {
  for (const part of row.querySelectorAll('.story > *, .story ~ *'))
    if (part.getBoundingClientRect().bottom > y) return part;
  return row.lastElementChild ?? row;
}

function setHeight(element: HTMLElement, px: number): void {
  const height = `${Math.max(px, 0)}px`;
  if (element.style.blockSize !== height) element.style.blockSize = height;
}

/** Has a message that was looked for stand out for a moment, and those who listen hear it, unless they are writing. */
function standOut(row: HTMLElement): void {
  row.dataset['lookedAt'] = '';
  setTimeout(() => delete row.dataset['lookedAt'], LOOKED_AT_MS);
  if (document.activeElement?.matches('input, textarea')) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
