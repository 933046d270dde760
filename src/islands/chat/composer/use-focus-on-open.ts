import { useEffect, type RefObject } from 'react';
import { useChat, useChatState } from '../chat-context.ts';

/** Whether the device has a mouse and no touch screen, so that focus opens no keyboard on the screen. */
const hasOnlyMouse = (): boolean =>
  matchMedia('(pointer: fine)').matches && !matchMedia('(any-pointer: coarse)').matches;

/** Whether the user is at nothing else: no control has focus, no dialog is open, and the address leads to no place. */
function isUserFree(): boolean {
  const focused = document.activeElement;
  const isFocusFree = focused === null || focused === document.body;
  return isFocusFree && location.hash === '' && document.querySelector('dialog[open]') === null;
}

/** Focuses the composer when a conversation opens on a desktop, unless it opens at a message. */
export function useFocusOnOpen(box: RefObject<HTMLTextAreaElement | null>): void {
  const chat = useChat();
  const openId = useChatState(({ phase, conversation }) =>
    phase === 'ready' ? (conversation?.id ?? null) : null,
  );
  useEffect(() => {
    const { scrollTarget } = chat.$chat.get();
    if (openId !== null && scrollTarget === null && hasOnlyMouse() && isUserFree())
      box.current?.focus({ preventScroll: true });
  }, [chat, box, openId]);
}
