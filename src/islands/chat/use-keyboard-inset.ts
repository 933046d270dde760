import { useEffect, type RefObject } from 'react';

/** In pixels: what covers less of the page than this is no keyboard. */
const KEYBOARD_FROM_PX = 80;

/**
 * Leaves room for a keyboard that lies over the page. Most browsers make the page smaller by themselves (see the
 * viewport's `interactive-widget`); where one slides the page up instead, it is put back and ends above the keyboard.
 * @param inside an element of the section that ends at the window's lower edge
 */
export function useKeyboardRoom(inside: RefObject<Element | null>): void {
  useEffect(() => {
    const section = inside.current?.closest('section');
    const visible = window.visualViewport;
    if (!section || !visible) return;
    const fit = () => {
      // Who looks closer sees less of the page as well, and so may anybody with a bar of the browser over it: a keyboard
      // is there for somebody who writes.
      const writes = document.activeElement?.matches('input, textarea') === true;
      const covered = writes && Math.abs(visible.scale - 1) < 0.01 ? innerHeight - visible.height : 0;
      const room = covered >= KEYBOARD_FROM_PX ? `${covered}px` : '';
      if (section.style.paddingBlockEnd !== room) section.style.paddingBlockEnd = room;
      if (room !== '' && visible.offsetTop > 0) window.scrollTo(0, 0);
    };
    fit();
    visible.addEventListener('resize', fit);
    visible.addEventListener('scroll', fit);
    return () => {
      visible.removeEventListener('resize', fit);
      visible.removeEventListener('scroll', fit);
      section.style.paddingBlockEnd = '';
    };
  }, [inside]);
}
