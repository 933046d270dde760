import type { HiddenList } from '../../features/character/contract.ts';
import type { TextStorage } from '../shared/outbox.ts';
import { PRIVATE_KEYS } from '../shared/user-storage.ts';

/** Of one account alone: whoever logs out takes theirs away. Read before the first paint (components/scripts/hide-cards.js). */
const KEY = `${PRIVATE_KEYS.hidden}list`;

/** How long nobody asks again for what this device knows to be nothing, in milliseconds: other devices may hide, too. */
const NOTHING_STAYS_MS = 60 * 60_000;

type Kept = HiddenList & { owner: string; at: number };

function kept(storage: TextStorage | null, owner: string): Kept | null {
  try {
    const list = JSON.parse(storage?.getItem(KEY) ?? 'null') as Kept | null;
    return list?.owner === owner && Array.isArray(list.tags) && Array.isArray(list.creators) ? list : null;
  } catch {
    return null;
  }
}

/** What this device knows of what somebody hides; null when that is nothing, or another's. @param owner whose it must be */
export function readKeptHidden(storage: TextStorage | null, owner: string): HiddenList | null {
  const list = kept(storage, owner);
  return list === null ? null : { tags: list.tags, creators: list.creators };
}

/** Whether the server said lately that somebody hides nothing. @param now milliseconds since 1970 */
export function hidesNothing(storage: TextStorage | null, owner: string, now: number): boolean {
  const list = kept(storage, owner);
  return list !== null && list.tags.length + list.creators.length === 0 && now - list.at < NOTHING_STAYS_MS;
}

/** Keeps what somebody hides, so that the next page leaves it out from the start. @param now milliseconds since 1970 */
export function keepHidden(
  storage: TextStorage | null,
  owner: string,
  { tags, creators }: HiddenList,
  now: number,
): void {
  try {
    storage?.setItem(KEY, JSON.stringify({ owner, tags, creators, at: now } satisfies Kept));
  } catch {
    // Storage is full or closed: the next page shows it for a moment.
  }
}
