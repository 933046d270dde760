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
import {
  buildListEntries,
  getListPosition,
  MAX_UNWINDOWED_ROWS,
  type ListEntry,
  type RowRange,
} from './virtual-window.ts';

/** Rows rendered before any height is known. */
const INITIAL_ROWS = 6;
/** Rows at the end that are always rendered, because new text arrives there. */
const PINNED_LAST_ROWS = 2;

/** The parts of a list that keeps its scroll position. */
export interface StickToBottom {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  list: RefObject<HTMLOListElement | null>;
  /** The list's content in order: rows, and gaps for rows that are not rendered. */
  entries: readonly ListEntry[];
  /** Whether the user is away from the newest message. */
  away: boolean;
  /** For the scrolled element: scroll events, and the input events that mark a scroll as made by the user. */
  handlers: Pick<
    DOMAttributes<HTMLDivElement>,
    'onScroll' | 'onWheel' | 'onTouchMove' | 'onKeyDown' | 'onPointerDown'
  >;
  /** Scrolls to the newest message and follows it. */
  scrollToNewest: () => void;
  /** New content must no longer scroll the list. */
  stopFollowing: () => void;
  /** The layout is about to change: scroll events that follow are not the user's. */
  expectLayoutChange: () => void;
}

/**
 * Keeps a scrolled list at its end while the user is there, and otherwise at its position. Renders only the rows near the
 * viewport of a long list.
 * @param keys of all rows, oldest first; the same array while they are unchanged
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
    /** A new id resets the position: to the start if `fromStart`, else to the end. */
    conversationId: string | undefined;
    fromStart: boolean;
    /** The newest message of the user's own; each new one scrolls to the end. */
    sent: string | undefined;
    /** The row that is always rendered, because keyboard navigation starts there. */
    newest: string | undefined;
    /** Whether there are messages before the first row, and after the last one. */
    more: { earlier: boolean; later: boolean };
    /** Number of messages in the whole conversation, as last loaded. */
    total: number;
    /** The row to scroll to; a new object for each request. */
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

  // A list that is rendered completely may grow too long for that; what was rendered then stays.
  const [first, last] = [keys[0], keys.at(-1)];
  const isComplete = first !== undefined && last !== undefined && keys.length <= MAX_UNWINDOWED_ROWS;
  if (isComplete && (shown?.first !== first || shown.last !== last)) setShown({ first, last, kept: [] });

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
    // Only another conversation resets the position; the first message must not, although it changes `fromStart`.
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

/** The current indexes of the requested rows; if those are gone, the rows at the end that is shown first. */
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
