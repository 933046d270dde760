import {
  startTransition,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type DOMAttributes,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { createScrollAnchor, type RowWindow } from './scroll-anchor.ts';
import { buildListEntries, getListPosition, type ListEntry, type RowRange } from './virtual-window.ts';

/** So many rows stand in the page before their heights are known. */
const INITIAL_ROWS = 6;
/** So many rows at the end always stand in the page: what is written and answered there is never far. */
const PINNED_LAST_ROWS = 2;

/** What a list does to stay where its reader is. */
export interface StickToBottom {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  list: RefObject<HTMLOListElement | null>;
  /** What is to stand in the list, in order: rows, and the room of those that do not stand in it. */
  entries: readonly ListEntry[];
  /** The reader is somewhere else, and something newer is below. */
  away: boolean;
  /** For the scrolled element: its scrolling, and what tells a reader's hand from the browser's own doing. */
  handlers: Pick<
    DOMAttributes<HTMLDivElement>,
    'onScroll' | 'onWheel' | 'onTouchMove' | 'onKeyDown' | 'onPointerDown'
  >;
  /** Goes to the newest and stays with it. */
  scrollToNewest: () => void;
  /** What comes in now must not move the reader. */
  stopFollowing: () => void;
  /** The room is about to change: scrolling in the next moment is nobody's wish. */
  expectLayoutChange: () => void;
}

/**
 * Keeps a scrolled list at its end for a reader who is there, and still for one who is not. Of a long list only the
 * rows near what is seen stand in the page.
 * @param keys of all rows, oldest first; the same array as long as they are the same
 */
export function useStickToBottom(
  keys: readonly string[],
  {
    conversationId,
    fromStart,
    sent,
    newest,
    more,
    total,
    lookAt,
  }: {
    /** Another one begins at its own place: at the end, or at the start where `fromStart` says so. */
    conversationId: string | undefined;
    fromStart: boolean;
    /** Changes with every message of the reader's own, which is always shown. */
    sent: string | undefined;
    /** The row that always stands in the page: keys lead from it to all others. */
    newest: string | undefined;
    /** Whether there are messages before the first row, and after the last one. */
    more: { earlier: boolean; later: boolean };
    /** Messages of the whole conversation, as far as known. */
    total: number;
    /** A row that is to be brought into sight; a new object each time. */
    lookAt: { key: string } | null;
  },
): StickToBottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [shown, setShown] = useState<RowWindow | null>(null);
  const [away, setAway] = useState(false);
  const [anchor] = useState(() =>
    createScrollAnchor((wanted, haste) => {
      if (haste === 'at once') flushSync(() => setShown(wanted));
      else if (haste === 'now') setShown(wanted);
      else startTransition(() => setShown(wanted));
    }, setAway),
  );
  const { earlier, later } = more;

  const rowIndexes = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  const window = useMemo(
    () => resolveWindow(shown, rowIndexes, keys.length, fromStart),
    [shown, rowIndexes, keys, fromStart],
  );
  const entries = useMemo(() => {
    const kept = [newest, ...keys.slice(-PINNED_LAST_ROWS), ...(shown?.kept ?? [])];
    return buildListEntries(
      window,
      kept.map((key) => rowIndexes.get(key ?? '') ?? -1),
      keys.length,
    );
  }, [window, shown, rowIndexes, keys, newest]);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current || !list.current) return;
    return anchor.attach(scroller.current, content.current, list.current);
  }, [anchor]);

  const begin = useEffectEvent(() => anchor.reset(fromStart));
  useLayoutEffect(() => {
    // Only a change of conversation moves the reader: the first word spoken in it must not.
    begin();
  }, [conversationId]);

  useLayoutEffect(() => {
    const position = getListPosition(keys.length, total, { earlier, later });
    anchor.handleRendered({ keys, entries, window, includesNewest: !later, position });
  }, [anchor, keys, entries, window, earlier, later, total]);

  useLayoutEffect(() => {
    if (sent !== undefined) anchor.scrollToNewest();
  }, [anchor, sent]);

  useLayoutEffect(() => {
    if (lookAt) anchor.scrollToRow(lookAt.key);
  }, [anchor, lookAt]);

  const handlers = useMemo(() => {
    const { recordUserScroll: hand, handleScroll: scrolled } = anchor;
    return { onScroll: scrolled, onWheel: hand, onTouchMove: hand, onKeyDown: hand, onPointerDown: hand };
  }, [anchor]);
  const { scrollToNewest: toNewest, stopFollowing: stay, expectLayoutChange: brace } = anchor;
  return {
    scroller,
    content,
    list,
    entries,
    away,
    handlers,
    scrollToNewest: toNewest,
    stopFollowing: stay,
    expectLayoutChange: brace,
  };
}

/** The rows that were asked for, by their present places; where they are gone, those at the end where one begins. */
function resolveWindow(
  shown: RowWindow | null,
  places: ReadonlyMap<string, number>,
  count: number,
  fromStart: boolean,
): RowRange {
  const end = count - 1;
  const from = places.get(shown?.first ?? '');
  const to = places.get(shown?.last ?? '');
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  if (from !== undefined) return { from, to: Math.min(from + INITIAL_ROWS, end) };
  if (to !== undefined) return { from: Math.max(to - INITIAL_ROWS, 0), to };
  return fromStart
    ? { from: 0, to: Math.min(INITIAL_ROWS, count) - 1 }
    : { from: Math.max(count - INITIAL_ROWS, 0), to: end };
}
