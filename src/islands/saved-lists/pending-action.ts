import type { Choice } from './saved-lists-api.ts';
import type { TextStorage } from '../shared/outbox.ts';

/** In the tab's own storage: logging in may lead to another page and back. */
export const WISH_KEY = 'choice-wish';
/** How long a wish waits, in milliseconds: whoever comes back later has forgotten it. */
export const WISH_KEPT_MS = 30 * 60_000;

/** What somebody pressed who has yet to log in. */
export interface Wish {
  choice: Choice;
  on: boolean;
  /** Whose wish it is: the account whose session had ended meanwhile; null where nobody with an account was here. */
  owner: string | null;
}

/** Keeps what was pressed. @param path of the page that it was pressed on; @param now milliseconds since 1970 */
export function keepWish(
  storage: TextStorage | null,
  wish: Wish,
  { path, now }: { path: string; now: number },
): void {
  try {
    storage?.setItem(WISH_KEY, JSON.stringify({ ...wish, path, until: now + WISH_KEPT_MS }));
  } catch {
    // Without storage it is pressed once more.
  }
}

/** What was pressed on this page; null when nothing was, or too long ago. */
export function keptWish(
  storage: TextStorage | null,
  { path, now }: { path: string; now: number },
): Wish | null {
  try {
    const kept = JSON.parse(storage?.getItem(WISH_KEY) ?? 'null') as
      | (Wish & { path: string; until: number })
      | null;
    if (kept === null || kept.path !== path || !(kept.until > now)) return null;
    return { choice: kept.choice, on: kept.on, owner: kept.owner };
  } catch {
    return null;
  }
}

/** It was done, or nobody wants it any more. */
export function forgetWish(storage: TextStorage | null): void {
  try {
    storage?.removeItem(WISH_KEY);
  } catch {
    // A closed storage kept nothing.
  }
}
