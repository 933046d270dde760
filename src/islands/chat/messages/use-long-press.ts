import { useEffect, useMemo, useRef, useState, type DOMAttributes, type PointerEvent } from 'react';
import { messageAt } from './message-focus.ts';
import { $messageMenu } from '../state/messages-state.ts';

/** So long a finger rests on a message before it counts as held; a little before browsers select the word under it. */
const HOLD_MS = 400;
/** In pixels; a finger that moves farther is scrolling. */
const HOLD_SLACK_PX = 10;

/**
 * Finds out on which message a finger rested, until another place is touched, and opens its menu. Elements of messages
 * carry their key in `data-message`; what one writes in, and what can be pressed, is held for its own sake.
 */
export function useHeldMessage(): {
  held: string | null;
  holders: Pick<
    DOMAttributes<HTMLElement>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'
  >;
} {
  const [held, setHeld] = useState<string | null>(null);
  const finger = useRef<{ x: number; y: number; timer?: ReturnType<typeof setTimeout> }>({ x: 0, y: 0 });
  useEffect(() => {
    if (held === null) return;
    const elsewhere = ({ target }: Event) => {
      // The menu belongs to the message.
      if (messageAt(target) !== held && !(target as Element | null)?.closest('dialog')) setHeld(null);
    };
    document.addEventListener('pointerdown', elsewhere);
    return () => document.removeEventListener('pointerdown', elsewhere);
  }, [held]);

  const holders = useMemo(() => {
    const letGo = () => clearTimeout(finger.current.timer);
    const hold = (key: string) => {
      setHeld(key);
      swallowRelease();
      $messageMenu.set({ key, beside: null });
    };
    return {
      onPointerDown: ({ pointerType, target, clientX: x, clientY: y }: PointerEvent) => {
        letGo();
        const key = messageAt(target);
        if (pointerType === 'mouse' || key === null) return;
        if ((target as Element).closest('a, button, textarea')) return;
        finger.current = { x, y, timer: setTimeout(() => hold(key), HOLD_MS) };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = finger.current;
        if (Math.hypot(clientX - x, clientY - y) > HOLD_SLACK_PX) letGo();
      },
      onPointerUp: letGo,
      onPointerCancel: letGo,
    };
  }, []);
  return { held, holders };
}

/** The finger that opened the menu is still down: when it lifts, it has pressed nothing, and no menu of the browser's comes. */
function swallowRelease(): void {
  const listening = new AbortController();
  const { signal } = listening;
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, signal });
  window.addEventListener('contextmenu', swallow, { capture: true, signal });
  window.addEventListener('pointerdown', () => listening.abort(), { capture: true, once: true });
}
