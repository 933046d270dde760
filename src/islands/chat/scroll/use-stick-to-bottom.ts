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
import { createListPlace, type Shown } from './scroll-anchor.ts';
import { entriesOf, placeInWhole, type Entry, type Span } from './virtual-window.ts';

/** So many rows stand in the page before their heights are known. */
const FIRST_ROWS = 6;
/** So many rows at the end always stand in the page: what is written and answered there is never far. */
const LAST_ROWS = 2;

/** What a list does to stay where its reader is. */
export interface FollowingNewest {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  list: RefObject<HTMLOListElement | null>;
  /** What is to stand in the list, in order: rows, and the room of those that do not stand in it. */
  entries: readonly Entry[];
  /** The reader is somewhere else, and something newer is below. */
  away: boolean;
  /** For the scrolled element: its scrolling, and what tells a reader's hand from the browser's own doing. */
  handlers: Pick<
    DOMAttributes<HTMLDivElement>,
    'onScroll' | 'onWheel' | 'onTouchMove' | 'onKeyDown' | 'onPointerDown'
  >;
  /** Goes to the newest and stays with it. */
  toNewest: () => void;
  /** What comes in now must not move the reader. */
  stay: () => void;
  /** The room is about to change: scrolling in the next moment is nobody's wish. */
  brace: () => void;
}

/**
 * Keeps a scrolled list at its end for a reader who is there, and still for one who is not. Of a long list only the
 * rows near what is seen stand in the page.
 * @param keys of all rows, oldest first; the same array as long as they are the same
 */
export function useFollowNewest(
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
): FollowingNewest {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const [away, setAway] = useState(false);
  const [place] = useState(() =>
    createListPlace((wanted, haste) => {
      if (haste === 'at once') flushSync(() => setShown(wanted));
      else if (haste === 'now') setShown(wanted);
      else startTransition(() => setShown(wanted));
    }, setAway),
  );
  const { earlier, later } = more;

  const places = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  const window = useMemo(
    () => windowOf(shown, places, keys.length, fromStart),
    [shown, places, keys, fromStart],
  );
  const entries = useMemo(() => {
    const kept = [newest, ...keys.slice(-LAST_ROWS), ...(shown?.kept ?? [])];
    return entriesOf(
      window,
      kept.map((key) => places.get(key ?? '') ?? -1),
      keys.length,
    );
  }, [window, shown, places, keys, newest]);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current || !list.current) return;
    return place.attach(scroller.current, content.current, list.current);
  }, [place]);

  const begin = useEffectEvent(() => place.begin(fromStart));
  useLayoutEffect(() => {
    // Only a change of conversation moves the reader: the first word spoken in it must not.
    begin();
  }, [conversationId]);

  useLayoutEffect(() => {
    const whole = placeInWhole(keys.length, total, { earlier, later });
    place.drawn({ keys, entries, window, caughtUp: !later, whole });
  }, [place, keys, entries, window, earlier, later, total]);

  useLayoutEffect(() => {
    if (sent !== undefined) place.toNewest();
  }, [place, sent]);

  useLayoutEffect(() => {
    if (lookAt) place.lookAt(lookAt.key);
  }, [place, lookAt]);

  const handlers = useMemo(() => {
    const { hand, scrolled } = place;
    return { onScroll: scrolled, onWheel: hand, onTouchMove: hand, onKeyDown: hand, onPointerDown: hand };
  }, [place]);
  const { toNewest, stay, brace } = place;
  return { scroller, content, list, entries, away, handlers, toNewest, stay, brace };
}

/** The rows that were asked for, by their present places; where they are gone, those at the end where one begins. */
function windowOf(
  shown: Shown | null,
  places: ReadonlyMap<string, number>,
  count: number,
  fromStart: boolean,
): Span {
  const end = count - 1;
  const from = places.get(shown?.first ?? '');
  const to = places.get(shown?.last ?? '');
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  if (from !== undefined) return { from, to: Math.min(from + FIRST_ROWS, end) };
  if (to !== undefined) return { from: Math.max(to - FIRST_ROWS, 0), to };
  return fromStart
    ? { from: 0, to: Math.min(FIRST_ROWS, count) - 1 }
    : { from: Math.max(count - FIRST_ROWS, 0), to: end };
}
