// Moves the focus among messages. A message's element has its key in `data-message`; its action buttons are in an element
// with `data-actions`.

/** The key of the message that contains an element; null outside the messages. */
export function findMessageKey(target: EventTarget | null): string | null {
  return (target as Element | null)?.closest<HTMLElement>('[data-message]')?.dataset['message'] ?? null;
}

/** The element that gets the focus of a message; null when it has no visible action. */
function findFocusTarget(item: Element): HTMLElement | null {
  const buttons = item.querySelectorAll<HTMLElement>('[data-actions] button');
  return [...buttons].find((button) => button.offsetParent !== null) ?? null;
}

function listMessageElements(within: Document | HTMLElement): Element[] {
  return [...within.querySelectorAll('[data-message]')];
}

/**
 * Moves the focus from a message or its actions to the actions of its neighbour.
 * @returns whether there was a neighbour
 */
export function moveFocusByArrow(list: HTMLElement, key: string): boolean {
  const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
  const focused = document.activeElement;
  const inside = focused?.closest('[data-message]');
  if (step === 0 || !inside || (focused !== inside && !focused?.closest('[data-actions]'))) return false;
  const all = listMessageElements(list);
  for (let at = all.indexOf(inside) + step; at >= 0 && at < all.length; at += step) {
    const anchor = findFocusTarget(all[at] as Element);
    if (!anchor) continue;
    anchor.focus();
    return true;
  }
  return false;
}

/** Animation frames to wait for a message that was scrolled to or is being rendered again. */
const MAX_DRAW_FRAMES = 30;

/** Focuses a message's actions as soon as they are rendered. */
export function focusMessage(key: string, frames = MAX_DRAW_FRAMES): void {
  requestAnimationFrame(() => {
    const item = findMessageElement(key);
    const anchor = item ? findFocusTarget(item) : null;
    if (anchor) anchor.focus();
    else if (frames > 0) focusMessage(key, frames - 1);
  });
}

/** Whether a message is in the page; the virtual list renders only those near the viewport. */
export const isRendered = (key: string) => findMessageElement(key) !== undefined;

function findMessageElement(key: string): Element | undefined {
  return listMessageElements(document).find((item) => (item as HTMLElement).dataset['message'] === key);
}

/** Focuses the composer on the next frame. */
export function focusComposer(): void {
  requestAnimationFrame(() => findComposer(document)?.focus());
}

export function findComposer(within: Document | HTMLElement): HTMLTextAreaElement | null {
  return within.querySelector<HTMLTextAreaElement>('footer textarea');
}

/** Whether no element has focus. */
function isFocusLost(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body;
}

/**
 * When the focused element was removed: moves focus to a message; if that is gone, to the newest one in the page; without
 * messages, to the list's region or the page.
 */
export function restoreLostFocus(key: string | null): void {
  requestAnimationFrame(() => {
    if (!isFocusLost()) return;
    const item = (key === null ? undefined : findMessageElement(key)) ?? listMessageElements(document).at(-1);
    const place =
      (item ? findFocusTarget(item) : null) ??
      document.querySelector('.chat-list')?.closest<HTMLElement>('[role="region"]') ??
      document.getElementById('main');
    place?.focus({ preventScroll: true });
  });
}

/**
 * Records whether an element has focus now.
 * @returns whether focus was not lost since; also true when there was none
 */
export function trackFocus(): () => boolean {
  const hadFocus = !isFocusLost();
  return () => !hadFocus || !isFocusLost();
}
