import type { SavedItem } from './saved-lists-api.ts';
import type { TextStorage } from '../shared/outbox.ts';

/** Session storage key, because signing in may lead to other pages and back. */
export const PENDING_ACTION_KEY = 'choice-wish';
/** Milliseconds after which a pending action expires: a user who returns later no longer expects it. */
export const MAX_PENDING_MS = 30 * 60_000;

/** An action that waits for the user to sign in. */
export interface PendingAction {
  choice: SavedItem;
  on: boolean;
  /** The account whose session had ended; null when no account was signed in. */
  owner: string | null;
}

/**
 * Stores the pending action.
 * @param path of the page on which it was clicked
 * @param now milliseconds since the epoch
 */
export function savePendingAction(
  storage: TextStorage | null,
  action: PendingAction,
  { path, now }: { path: string; now: number },
): void {
  try {
    storage?.setItem(PENDING_ACTION_KEY, JSON.stringify({ ...action, path, until: now + MAX_PENDING_MS }));
  } catch {
    // Without storage the user must click again.
  }
}

/** The pending action of this page; null for none or an expired one. */
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

/** Removes the pending action, after it was done or dropped. */
export function clearPendingAction(storage: TextStorage | null): void {
  try {
    storage?.removeItem(PENDING_ACTION_KEY);
  } catch {
    // Blocked storage holds nothing.
  }
}
