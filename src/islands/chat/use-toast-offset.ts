import { useLayoutEffect, type RefObject } from 'react';
import { $toastOffset } from '../shared/toasts-state.ts';

/**
 * Keeps the page's toasts off what one writes in, however high it grows and wherever a keyboard lifts it.
 * @param box stands at the window's lower edge, in a section that ends there
 */
export function useToastOffset(box: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      $toastOffset.set(document.documentElement.clientHeight - element.getBoundingClientRect().top);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // What a keyboard covers is padding of the section: its content shrinks, and the box moves.
    const section = element.closest('section');
    if (section) observer.observe(section);
    return () => {
      observer.disconnect();
      $toastOffset.set(0);
    };
  }, [box]);
}
