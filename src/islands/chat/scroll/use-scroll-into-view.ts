import { useEffect, useEffectEvent, type RefObject } from 'react';

/**
 * Keeps what one writes in wholly in sight: when it opens with the focus, and when the room for it changes, as by a
 * keyboard that comes up.
 * @param target what is to be seen; it stands in a region that scrolls
 * @param show brings it into sight
 */
export function useScrollIntoView(target: RefObject<HTMLElement | null>, show: () => void): void {
  const showIfHidden = useEffectEvent(() => {
    const element = target.current;
    if (element?.contains(document.activeElement) && !isInView(element)) show();
  });
  useEffect(() => {
    showIfHidden();
    const visible = window.visualViewport;
    // Others make room for a keyboard at the same time: what counts is where things stand then.
    const later = () => requestAnimationFrame(showIfHidden);
    visible?.addEventListener('resize', later);
    return () => visible?.removeEventListener('resize', later);
  }, []);
}

function isInView(element: HTMLElement): boolean {
  const room = element.closest('[role="region"]')?.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return room === undefined || (top >= room.top && bottom <= room.bottom);
}
