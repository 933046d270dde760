import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type DOMAttributes,
  type RefObject,
} from 'react';

/** Within so many pixels of the end a reader counts as reading the newest. */
const AT_END_PX = 80;
/** So long after its last move a reader's hand counts as still on the page: nothing pulls against it. */
const HAND_MS = 250;
/** So long a change of the box below may make the browser scroll by itself. */
const BRACE_MS = 150;

/** What a list does to stay where its reader is. */
export interface FollowingNewest {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
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
 * Keeps a scrolled list at its end for a reader who is there, and still for one who is not.
 * @param keys of what is shown, oldest first; when something comes in above, what was being read stays in place
 * @param conversationId another one begins at its own place: at the end, or at the start where `fromStart` says so
 * @param sent changes with every message of the reader's own, which is always shown
 */
export function useFollowNewest(
  keys: readonly string[],
  {
    conversationId,
    fromStart,
    sent,
  }: { conversationId: string | undefined; fromStart: boolean; sent: string | undefined },
): FollowingNewest {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const handAt = useRef(-HAND_MS);
  const bracedUntil = useRef(0);
  const placed = useRef<string | undefined>(undefined);
  const known = useRef({ firstKey: '', top: 0, height: 0, room: 0 });
  const [away, setAway] = useState(false);

  const measure = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop: top, scrollHeight: height, clientHeight: room } = element;
    known.current = { ...known.current, top, height, room };
    setAway(!follows.current && height - top - room > AT_END_PX);
  }, []);

  const keepEnd = useCallback(() => {
    const element = scroller.current;
    if (element && follows.current && performance.now() - handAt.current > HAND_MS) {
      element.scrollTop = element.scrollHeight;
    }
    measure();
  }, [measure]);

  useLayoutEffect(() => {
    // Only a change of conversation moves the reader: the first word spoken in it must not.
    if (placed.current === conversationId) return;
    placed.current = conversationId;
    follows.current = !fromStart;
    known.current.firstKey = '';
    if (fromStart && scroller.current) scroller.current.scrollTop = 0;
  }, [conversationId, fromStart]);

  useLayoutEffect(() => {
    if (sent === undefined) return;
    follows.current = true;
    handAt.current = -HAND_MS;
  }, [sent]);

  useLayoutEffect(() => {
    const element = scroller.current;
    const { firstKey, height } = known.current;
    known.current.firstKey = keys[0] ?? '';
    if (element && !follows.current && keys.indexOf(firstKey) > 0)
      element.scrollTop += element.scrollHeight - height;
    keepEnd();
  }, [keys, keepEnd]);

  useEffect(() => {
    const watched = new ResizeObserver(keepEnd);
    if (scroller.current) watched.observe(scroller.current);
    if (content.current) watched.observe(content.current);
    return () => watched.disconnect();
  }, [keepEnd]);

  const handlers = useMemo(() => {
    const hand = () => {
      handAt.current = performance.now();
    };
    const onScroll = () => {
      const element = scroller.current;
      if (!element) return;
      const { top, height, room } = known.current;
      const now = performance.now();
      const byHand = now - handAt.current <= HAND_MS;
      const resized = element.scrollHeight !== height || element.clientHeight !== room;
      // The box below grew or the text did: the reader moved nothing.
      if (!byHand && (resized || (follows.current && now < bracedUntil.current))) return keepEnd();
      // A page that was pushed goes on by itself for a while.
      if (element.scrollTop < top) hand();
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight <= AT_END_PX;
      measure();
    };
    return { onScroll, onWheel: hand, onTouchMove: hand, onKeyDown: hand, onPointerDown: hand };
  }, [keepEnd, measure]);

  const toNewest = useCallback(() => {
    follows.current = true;
    handAt.current = -HAND_MS;
    keepEnd();
  }, [keepEnd]);

  const stay = useCallback(() => {
    follows.current = false;
  }, []);

  const brace = useCallback(() => {
    bracedUntil.current = performance.now() + BRACE_MS;
  }, []);

  return { scroller, content, away, handlers, toNewest, stay, brace };
}
