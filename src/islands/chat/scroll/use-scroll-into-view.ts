import { useEffect, useEffectEvent, type RefObject } from 'react';

/**
 * Keeps a focused field fully visible: when it mounts, and when the visual viewport changes, for example with an
 * on-screen keyboard.
 * @param target the element to keep visible, inside a scrolling region
 * @param show scrolls to it
 */
export function useScrollIntoView(target: RefObject<HTMLElement | null>, show: () => void): void {
  const showIfHidden = useEffectEvent(() => {
    const element = target.current;
    if (element?.contains(document.activeElement) && !isInView(element)) show();
  });
  useEffect(() => {
    showIfHidden();
    const visible = window.visualViewport;
    // Other code adjusts the layout to the keyboard in the same event, so measure in the next frame.
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
