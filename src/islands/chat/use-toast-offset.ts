import { useLayoutEffect, type RefObject } from 'react';
import { $keptClear } from '../shared/toasts-state.ts';

/**
 * Keeps the page's toasts off what one writes in, however high it grows and wherever a keyboard lifts it.
 * @param box stands at the window's lower edge, in a section that ends there
 */
export function useToastRoom(box: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      $keptClear.set(document.documentElement.clientHeight - element.getBoundingClientRect().top);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    // What a keyboard covers is padding of the section: its content shrinks, and the box moves.
    const section = element.closest('section');
    if (section) watch.observe(section);
    return () => {
      watch.disconnect();
      $keptClear.set(0);
    };
  }, [box]);
}
