import { useLayoutEffect, type RefObject } from 'react';
import { $toastOffset } from '../shared/toasts-state.ts';

/**
 * Keeps toasts above the composer as it grows or as a keyboard lifts it.
 * @param box sits at the bottom of the window, in a section that ends there
 */
export function useToastOffset(box: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () =>
      $toastOffset.set(document.documentElement.clientHeight - element.getBoundingClientRect().top);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // A keyboard adds padding to the section, which shrinks its content and moves the box.
    const section = element.closest('section');
    if (section) observer.observe(section);
    return () => {
      observer.disconnect();
      $toastOffset.set(0);
    };
  }, [box]);
}
