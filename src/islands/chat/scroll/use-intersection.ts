import { useEffect, useEffectEvent, type RefObject } from 'react';

/**
 * Keeps what one writes in wholly in sight: when it opens with the focus, and when the room for it changes, as by a
 * keyboard that comes up.
 * @param inside what is to be seen; it stands in a region that scrolls
 * @param show brings it into sight
 */
export function useInSight(inside: RefObject<HTMLElement | null>, show: () => void): void {
  const look = useEffectEvent(() => {
    const element = inside.current;
    if (element?.contains(document.activeElement) && !isInSight(element)) show();
  });
  useEffect(() => {
    look();
    const visible = window.visualViewport;
    // Others make room for a keyboard at the same time: what counts is where things stand then.
    const later = () => requestAnimationFrame(look);
    visible?.addEventListener('resize', later);
    return () => visible?.removeEventListener('resize', later);
  }, []);
}

function isInSight(element: HTMLElement): boolean {
  const room = element.closest('[role="region"]')?.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return room === undefined || (top >= room.top && bottom <= room.bottom);
}
