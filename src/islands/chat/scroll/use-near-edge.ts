import { useEffect, useRef, type RefObject } from 'react';

/** Distance from the viewport at which the next page loads, as a root margin. */
const PRELOAD_MARGIN = '150% 0px';

/**
 * Calls `onNear` when an element comes near the viewport, once per page.
 * @param cursor of the next page; null when there is none or it must not load automatically
 * @returns the ref for the element
 */
export function useNearEdge<T extends Element>(
  scroller: RefObject<Element | null>,
  cursor: string | null,
  onNear: () => void,
): RefObject<T | null> {
  const element = useRef<T>(null);
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  useEffect(() => {
    if (cursor === null || !element.current) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        latest.current();
      },
      { root: scroller.current, rootMargin: PRELOAD_MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [scroller, cursor]);
  return element;
}
