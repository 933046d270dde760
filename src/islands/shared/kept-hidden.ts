import type { HiddenList } from '../../features/character/contract.ts';
import type { TextStorage } from './outbox.ts';
import { PRIVATE_KEYS } from './private-storage.ts';

/** Of one account alone: whoever logs out takes theirs away. Read before the first paint (pages/_parts/hide-cards.js). */
const KEY = `${PRIVATE_KEYS.hidden}list`;

/** What this device knows of what somebody hides; null when that is nothing, or another's. @param owner whose it must be */
export function readKeptHidden(storage: TextStorage | null, owner: string): HiddenList | null {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? 'null') as (HiddenList & { owner: string }) | null;
    if (kept?.owner !== owner || !Array.isArray(kept.tags) || !Array.isArray(kept.creators)) return null;
    return { tags: kept.tags, creators: kept.creators };
  } catch {
    return null;
  }
}

/** Keeps what somebody hides, so that the next page leaves it out from the start; whoever hides nothing keeps nothing. */
export function keepHidden(storage: TextStorage | null, owner: string, { tags, creators }: HiddenList): void {
  try {
    if (tags.length + creators.length === 0) storage?.removeItem(KEY);
    else storage?.setItem(KEY, JSON.stringify({ owner, tags, creators }));
  } catch {
    // Storage is full or closed: the next page shows it for a moment.
  }
}
