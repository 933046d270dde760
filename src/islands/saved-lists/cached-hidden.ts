import type { HiddenList } from '../../features/character/contract.ts';
import type { TextStorage } from '../shared/outbox.ts';
import { USER_KEY_PREFIXES } from '../shared/user-storage.ts';

/** Of one account alone: whoever logs out takes theirs away. Read before the first paint (components/scripts/hide-cards.js). */
const STORAGE_KEY = `${USER_KEY_PREFIXES.hidden}list`;

/** How long nobody asks again for what this device knows to be nothing, in milliseconds: other devices may hide, too. */
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

/** What this device knows of what somebody hides; null when that is nothing, or another's. @param owner whose it must be */
export function readCachedHidden(storage: TextStorage | null, owner: string): HiddenList | null {
  const list = readCache(storage, owner);
  return list === null ? null : { tags: list.tags, creators: list.creators };
}

/** Whether the server said lately that somebody hides nothing. @param now milliseconds since 1970 */
export function isCachedHiddenEmpty(storage: TextStorage | null, owner: string, now: number): boolean {
  const list = readCache(storage, owner);
  return list !== null && list.tags.length + list.creators.length === 0 && now - list.at < MAX_EMPTY_AGE_MS;
}

/** Keeps what somebody hides, so that the next page leaves it out from the start. @param now milliseconds since 1970 */
export function cacheHidden(
  storage: TextStorage | null,
  owner: string,
  { tags, creators }: HiddenList,
  now: number,
): void {
  try {
    storage?.setItem(STORAGE_KEY, JSON.stringify({ owner, tags, creators, at: now } satisfies CachedHidden));
  } catch {
    // Storage is full or closed: the next page shows it for a moment.
  }
}
