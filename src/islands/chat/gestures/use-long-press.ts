import { useEffect, useMemo, useRef, useState, type DOMAttributes, type PointerEvent } from 'react';
import { findMessageKey } from '../messages/message-focus.ts';
import { $messageMenu } from '../state/messages-state.ts';

/** Milliseconds before a press counts as long; shorter than the time after which browsers select the word. */
const LONG_PRESS_MS = 400;
/** Pixels. A pointer that moves further is scrolling. */
const MAX_MOVE_PX = 10;

/**
 * Opens a message's menu after a long press, and returns the pressed message until another place is pressed. Messages
 * have their key in `data-message`. Presses on links, buttons and text fields are ignored.
 */
export function useLongPress(): {
  pressedKey: string | null;
  pressHandlers: Pick<
    DOMAttributes<HTMLElement>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'
  >;
} {
  const [pressedKey, setPressedKey] = useState<string | null>(null);
  const pointer = useRef<{ x: number; y: number; timer?: ReturnType<typeof setTimeout> }>({ x: 0, y: 0 });
  useEffect(() => {
    if (pressedKey === null) return;
    const onOutsidePress = ({ target }: Event) => {
      // The menu of the message does not count as outside.
      if (findMessageKey(target) !== pressedKey && !(target as Element | null)?.closest('dialog'))
        setPressedKey(null);
    };
    document.addEventListener('pointerdown', onOutsidePress);
    return () => document.removeEventListener('pointerdown', onOutsidePress);
  }, [pressedKey]);

  const pressHandlers = useMemo(() => {
    const cancelPress = () => clearTimeout(pointer.current.timer);
    const openMenu = (key: string) => {
      setPressedKey(key);
      suppressNextClick();
      $messageMenu.set({ key, anchor: null });
    };
    return {
      onPointerDown: ({ pointerType, target, clientX: x, clientY: y }: PointerEvent) => {
        cancelPress();
        const key = findMessageKey(target);
        if (pointerType === 'mouse' || key === null) return;
        if ((target as Element).closest('a, button, textarea')) return;
        pointer.current = { x, y, timer: setTimeout(() => openMenu(key), LONG_PRESS_MS) };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = pointer.current;
        if (Math.hypot(clientX - x, clientY - y) > MAX_MOVE_PX) cancelPress();
      },
      onPointerUp: cancelPress,
      onPointerCancel: cancelPress,
    };
  }, []);
  return { pressedKey, pressHandlers };
}

/** Suppresses the click and the browser's context menu that follow when the finger is lifted. */
function suppressNextClick(): void {
  const listening = new AbortController();
  const { signal } = listening;
  const suppress = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', suppress, { capture: true, signal });
  window.addEventListener('contextmenu', suppress, { capture: true, signal });
  window.addEventListener('pointerdown', () => listening.abort(), { capture: true, once: true });
}
