import { useEffect, useRef, type RefObject } from 'react';

/** How far beyond what is seen the next page is fetched, as a margin of the scrolled element. */
const PRELOAD_MARGIN = '150% 0px';

/**
 * Calls when an element comes near what is seen, once for each page that it leads to.
 * @param cursor leads to the page; null when there is none, or none that should be fetched by itself
 * @returns for the element
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
