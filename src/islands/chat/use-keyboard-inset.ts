import { useEffect, type RefObject } from 'react';

/** In pixels: what covers less of the page than this is no keyboard. */
const MIN_KEYBOARD_PX = 80;

/**
 * Leaves room for a keyboard that lies over the page. Most browsers make the page smaller by themselves (see the
 * viewport's `interactive-widget`); where one slides the page up instead, it is put back and ends above the keyboard.
 * @param inside an element of the section that ends at the window's lower edge
 */
export function useKeyboardInset(inside: RefObject<Element | null>): void {
  useEffect(() => {
    const section = inside.current?.closest('section');
    const visible = window.visualViewport;
    if (!section || !visible) return;
    const updateInset = () => {
      // Who looks closer sees less of the page as well, and so may anybody with a bar of the browser over it: a keyboard
      // is there for somebody who writes.
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
