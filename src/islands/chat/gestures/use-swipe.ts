import { useMemo, type DOMAttributes, type PointerEvent as ReactPointerEvent } from 'react';
import { useMessageCommands } from '../chat-context.ts';
import { $messageMenu } from '../state/messages-state.ts';
import { findMessageKey } from '../messages/message-focus.ts';
import {
  getSwipeDirection,
  getSwipeOffset,
  isInsideEdges,
  trackSwipe,
  type SwipePath,
  type SwipeState,
} from './swipe-rules.ts';

/**
 * Shows the next, the previous or a new version of the newest reply by a swipe of a finger or pen. The reply has
 * `data-swipe`, and `touch-action: pan-y` leaves vertical scrolling to the browser, which then cancels the pointer.
 */
export function useSwipe(): Pick<DOMAttributes<HTMLElement>, 'onPointerDown'> {
  const commands = useMessageCommands();
  return useMemo(
    () => ({
      onPointerDown(event: ReactPointerEvent) {
        const target = event.target as Element;
        const item = target.closest('[data-swipe]');
        const key = findMessageKey(item);
        if (key === null || event.pointerType === 'mouse' || !event.isPrimary) return;
        if (!isInsideEdges(event.clientX, window.innerWidth) || isForSomethingElse(target)) return;
        followPointer(event, item?.querySelector<HTMLElement>('.story') ?? null, (direction) =>
          commands.swipe(key, direction),
        );
      },
    }),
    [commands],
  );
}

/** Whether a touch means a control, a wide table or the handles of a selection. */
function isForSomethingElse(target: Element): boolean {
  const table = target.closest('.story-table');
  return (
    target.closest('a, button, input, textarea, summary') !== null ||
    (table !== null && table.scrollWidth > table.clientWidth) ||
    document.getSelection()?.isCollapsed === false
  );
}

/** Follows a pointer until it is lifted, and moves the text a little with it unless the user prefers less motion. */
function followPointer(
  { pointerId, clientX, clientY }: ReactPointerEvent,
  text: HTMLElement | null,
  swipe: (direction: 'next' | 'previous') => void,
): void {
  const listening = new AbortController();
  const { signal } = listening;
  const style = matchMedia('(prefers-reduced-motion: reduce)').matches ? undefined : text?.style;
  let state: SwipeState = 'undecided';
  const getPath = (event: PointerEvent): SwipePath => ({
    dx: event.clientX - clientX,
    dy: event.clientY - clientY,
  });
  const finish = () => {
    listening.abort();
    style?.removeProperty('translate');
    style?.removeProperty('transition');
  };
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const path = getPath(event);
    state = trackSwipe(state, path);
    // A long press has opened the menu.
    if (state === 'ended' || $messageMenu.get() !== null) return finish();
    if (state !== 'swiping') return;
    style?.setProperty('transition', 'none');
    style?.setProperty('translate', `${getSwipeOffset(path.dx)}px`);
  };
  const onUp = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const direction = state === 'swiping' ? getSwipeDirection(getPath(event)) : null;
    finish();
    if (direction !== null) swipe(direction);
  };
  window.addEventListener('pointermove', onMove, { signal });
  window.addEventListener('pointerup', onUp, { signal });
  window.addEventListener('pointercancel', finish, { signal });
  // With a second finger it is a zoom.
  window.addEventListener('pointerdown', (event) => event.pointerId !== pointerId && finish(), { signal });
}
