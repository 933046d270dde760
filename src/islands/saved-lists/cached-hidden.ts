import type { HiddenList } from '../../features/character/contract.ts';
import type { TextStorage } from '../shared/outbox.ts';

/**
 * Storage key of one account's hidden list, removed on logout. Read before the first paint
 * (components/scripts/hide-cards.js). A literal, because visitors load this file and none of user-storage.ts.
 */
const STORAGE_KEY = 'hidden:list';

/** Milliseconds for which an empty list is not loaded again. Limited, because other devices may hide something. */
const MAX_EMPTY_AGE_MS = 60 * 60_000;

type CachedHidden = HiddenList & { owner: string; at: number };

function readCache(storage: TextStorage | null, owner: string): CachedHidden | null {
  try {
    const list = JSON.parse(storage?.getItem(STORAGE_KEY) ?? 'null') as CachedHidden | null;
    return list?.owner === owner && Array.isArray(list.tags) && Array.isArray(list.creators) ? list : null;
  } catch {
    return null;
  }
}

/**
 * The cached hidden list; null when there is none or it belongs to another account.
 * @param owner the account's id
 */
export function readCachedHidden(storage: TextStorage | null, owner: string): HiddenList | null {
  const list = readCache(storage, owner);
  return list === null ? null : { tags: list.tags, creators: list.creators };
}

/**
 * Whether the server said recently that the account hides nothing.
 * @param now milliseconds since the epoch
 */
export function isCachedHiddenEmpty(storage: TextStorage | null, owner: string, now: number): boolean {
  const list = readCache(storage, owner);
  return list !== null && list.tags.length + list.creators.length === 0 && now - list.at < MAX_EMPTY_AGE_MS;
}

/**
 * Caches the hidden list, so that the next page can apply it before the first paint.
 * @param now milliseconds since the epoch
 */
export function cacheHidden(
  storage: TextStorage | null,
  owner: string,
  { tags, creators }: HiddenList,
  now: number,
): void {
  try {
    storage?.setItem(STORAGE_KEY, JSON.stringify({ owner, tags, creators, at: now } satisfies CachedHidden));
  } catch {
    // Storage is full or blocked: hidden cards will show briefly on the next page.
  }
}
