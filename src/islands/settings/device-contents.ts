import { PERSON_CACHE } from '../../features/offline/contract.ts';
import { PRIVATE_KEYS, writings } from '../shared/user-storage.ts';

/** What a device keeps of whoever uses it, each kind counted. */
export interface Kept {
  drafts: number;
  /** Messages that wait to be sent. */
  unsent: number;
  /** Chats that can be read without a network. */
  copies: number;
}

export type Writing = 'drafts' | 'unsent';

const KEYS: Record<Writing, string> = { drafts: PRIVATE_KEYS.draft, unsent: PRIVATE_KEYS.outbox };

/** The part of the browser's copies that is looked at here. */
export type Copies = Pick<CacheStorage, 'has' | 'open'>;

const COPIED_CHAT = /^\/api\/conversations\/[^/]+$/;

function countUnsent(storage: Storage | null): number {
  let count = 0;
  for (const key of writings(storage, [KEYS.unsent])) {
    try {
      const items: unknown = JSON.parse(storage?.getItem(key) ?? '[]');
      count += Array.isArray(items) ? items.length : 0;
    } catch {
      // What cannot be read is no message.
    }
  }
  return count;
}

async function countCopies(copies: Copies | null): Promise<number> {
  try {
    if (copies === null || !(await copies.has(PERSON_CACHE))) return 0;
    const kept = await (await copies.open(PERSON_CACHE)).keys();
    return kept.filter(({ url }) => COPIED_CHAT.test(new URL(url).pathname)).length;
  } catch {
    return 0;
  }
}

/** Counts what is kept. A storage that is closed to the page keeps nothing. */
export async function lookAtDevice(storage: Storage | null, copies: Copies | null): Promise<Kept> {
  return {
    drafts: writings(storage, [KEYS.drafts]).length,
    unsent: countUnsent(storage),
    copies: await countCopies(copies),
  };
}

/**
 * Takes all writings of a kind off the device.
 * @returns puts them back where nothing new stands meanwhile
 */
export function takeOff(storage: Storage | null, kind: Writing): () => void {
  const taken = writings(storage, [KEYS[kind]]).map((key) => [key, storage?.getItem(key) ?? ''] as const);
  for (const [key] of taken) storage?.removeItem(key);
  return () => {
    for (const [key, text] of taken) {
      try {
        if (storage?.getItem(key) === null) storage.setItem(key, text);
      } catch {
        // The storage was closed or filled meanwhile: nobody could put it back.
      }
    }
  };
}
