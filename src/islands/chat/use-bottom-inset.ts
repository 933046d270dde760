import { useEffect, type RefObject, useLayoutEffect } from 'react';
import { $toastOffset } from '../shared/toasts-state.ts';

/** Pixels. An overlay smaller than this is not a keyboard. */
const MIN_KEYBOARD_PX = 80;

/**
 * Adds bottom padding for an on-screen keyboard that covers the page. Most browsers resize the page themselves (see the
 * viewport's `interactive-widget`). Where the browser scrolls the page up instead, this resets the scroll position and
 * ends the page above the keyboard.
 * @param inside an element of the section that ends at the bottom of the window
 */
export function useKeyboardInset(inside: RefObject<Element | null>): void {
  useEffect(() => {
    const section = inside.current?.closest('section');
    const visible = window.visualViewport;
    if (!section || !visible) return;
    const updateInset = () => {
      // Zooming and browser bars shrink the visual viewport too. Only a focused field without zoom means a keyboard.
      const isTyping = document.activeElement?.matches('input, textarea') === true;
      const covered = isTyping && Math.abs(visible.scale - 1) < 0.01 ? innerHeight - visible.height : 0;
      const inset = covered >= MIN_KEYBOARD_PX ? `${covered}px` : '';
      if (section.style.paddingBlockEnd !== inset) section.style.paddingBlockEnd = inset;
      if (inset !== '' && visible.offsetTop > 0) window.scrollTo(0, 0);
    };
    updateInset();
    visible.addEventListener('resize', updateInset);
    visible.addEventListener('scroll', updateInset);
    return () => {
      visible.removeEventListener('resize', updateInset);
      visible.removeEventListener('scroll', updateInset);
      section.style.paddingBlockEnd = '';
    };
  }, [inside]);
}

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
