import type { SavedItem } from './saved-lists-api.ts';
import type { TextStorage } from '../shared/outbox.ts';

/** In the tab's own storage: logging in may lead to another page and back. */
export const PENDING_ACTION_KEY = 'choice-wish';
/** How long a wish waits, in milliseconds: whoever comes back later has forgotten it. */
export const MAX_PENDING_MS = 30 * 60_000;

/** What somebody pressed who has yet to log in. */
export interface PendingAction {
  choice: SavedItem;
  on: boolean;
  /** Whose wish it is: the account whose session had ended meanwhile; null where nobody with an account was here. */
  owner: string | null;
}

/** Keeps what was pressed. @param path of the page that it was pressed on; @param now milliseconds since 1970 */
export function savePendingAction(
  storage: TextStorage | null,
  action: PendingAction,
  { path, now }: { path: string; now: number },
): void {
  try {
    storage?.setItem(PENDING_ACTION_KEY, JSON.stringify({ ...action, path, until: now + MAX_PENDING_MS }));
  } catch {
    // Without storage it is pressed once more.
  }
}

/** What was pressed on this page; null when nothing was, or too long ago. */
export function readPendingAction(
  storage: TextStorage | null,
  { path, now }: { path: string; now: number },
): PendingAction | null {
  try {
    const stored = JSON.parse(storage?.getItem(PENDING_ACTION_KEY) ?? 'null') as
      | (PendingAction & { path: string; until: number })
      | null;
    if (stored === null || stored.path !== path || !(stored.until > now)) return null;
    return { choice: stored.choice, on: stored.on, owner: stored.owner };
  } catch {
    return null;
  }
}

/** It was done, or nobody wants it any more. */
export function clearPendingAction(storage: TextStorage | null): void {
  try {
    storage?.removeItem(PENDING_ACTION_KEY);
  } catch {
    // A closed storage kept nothing.
  }
}
