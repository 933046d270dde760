// Where the focus is among the messages, and where it goes. Elements of messages carry their key in `data-message`,
// the buttons of what can be done with them stand in `data-actions`.

/** The key of the message that an element stands in; null outside the messages. */
export function findMessageKey(target: EventTarget | null): string | null {
  return (target as Element | null)?.closest<HTMLElement>('[data-message]')?.dataset['message'] ?? null;
}

/** The element of a message by which the keyboard reaches it; null while it has none. */
function findFocusTarget(item: Element): HTMLElement | null {
  const buttons = item.querySelectorAll<HTMLElement>('[data-actions] button');
  return [...buttons].find((button) => button.offsetParent !== null) ?? null;
}

function listMessageElements(within: Document | HTMLElement): Element[] {
  return [...within.querySelectorAll('[data-message]')];
}

/** Moves the focus from a message, or from its actions, to its neighbour's actions. @returns whether there was one to move to */
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

/** Pictures to wait for a message that was just scrolled to, or is just being drawn in another way. */
const MAX_DRAW_FRAMES = 30;

/** Focuses what can be done with a message, once it is drawn as it is now. */
export function focusMessage(key: string, frames = MAX_DRAW_FRAMES): void {
  requestAnimationFrame(() => {
    const item = findMessageElement(key);
    const anchor = item ? findFocusTarget(item) : null;
    if (anchor) anchor.focus();
    else if (frames > 0) focusMessage(key, frames - 1);
  });
}

/** Whether a message is drawn: a list may draw only those in sight. */
export const isRendered = (key: string) => findMessageElement(key) !== undefined;

function findMessageElement(key: string): Element | undefined {
  return listMessageElements(document).find((item) => (item as HTMLElement).dataset['message'] === key);
}

/** Focuses the box in which messages are written. */
export function focusComposer(): void {
  requestAnimationFrame(() => findComposer(document)?.focus());
}

/** The box in which messages are written. */
export function findComposer(within: Document | HTMLElement): HTMLTextAreaElement | null {
  return within.querySelector<HTMLTextAreaElement>('footer textarea');
}

/** Whether the focus is on nothing. */
function isFocusLost(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body;
}

/**
 * Gives the focus, where it is on nothing because what had it is gone, to a message; where that is gone, to the newest
 * that is drawn, and without any to the messages as a whole, or to the page.
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

/** Remembers what has the focus now. @returns whether something has it, when asked later */
export function trackFocus(): () => boolean {
  const hadFocus = !isFocusLost();
  return () => !hadFocus || !isFocusLost();
}
