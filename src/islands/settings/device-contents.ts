import { USER_CACHE } from '../../features/offline/contract.ts';
import { USER_KEY_PREFIXES, listUserStorageKeys } from '../shared/user-storage.ts';

/** What a device keeps of whoever uses it, each kind counted. */
export interface DeviceContents {
  drafts: number;
  /** Messages that wait to be sent. */
  unsent: number;
  /** Chats that can be read without a network. */
  copies: number;
}

export type StoredTextKind = 'drafts' | 'unsent';

const KEY_PREFIXES: Record<StoredTextKind, string> = {
  drafts: USER_KEY_PREFIXES.draft,
  unsent: USER_KEY_PREFIXES.outbox,
};

/** The part of the browser's copies that is looked at here. */
export type CacheReader = Pick<CacheStorage, 'has' | 'open'>;

const CACHED_CHAT_PATH = /^\/api\/conversations\/[^/]+$/;

function countUnsent(storage: Storage | null): number {
  let count = 0;
  for (const key of listUserStorageKeys(storage, [KEY_PREFIXES.unsent])) {
    try {
      const items: unknown = JSON.parse(storage?.getItem(key) ?? '[]');
      count += Array.isArray(items) ? items.length : 0;
    } catch {
      // What cannot be read is no message.
    }
  }
  return count;
}

async function countCopies(copies: CacheReader | null): Promise<number> {
  try {
    if (copies === null || !(await copies.has(USER_CACHE))) return 0;
    const cache = await (await copies.open(USER_CACHE)).keys();
    return cache.filter(({ url }) => CACHED_CHAT_PATH.test(new URL(url).pathname)).length;
  } catch {
    return 0;
  }
}

/** Counts what is kept. A storage that is closed to the page keeps nothing. */
export async function inspectDevice(
  storage: Storage | null,
  copies: CacheReader | null,
): Promise<DeviceContents> {
  return {
    drafts: listUserStorageKeys(storage, [KEY_PREFIXES.drafts]).length,
    unsent: countUnsent(storage),
    copies: await countCopies(copies),
  };
}

/**
 * Takes all writings of a kind off the device.
 * @returns puts them back where nothing new stands meanwhile
 */
export function removeFromDevice(storage: Storage | null, kind: StoredTextKind): () => void {
  const removedEntries = listUserStorageKeys(storage, [KEY_PREFIXES[kind]]).map(
    (key) => [key, storage?.getItem(key) ?? ''] as const,
  );
  for (const [key] of removedEntries) storage?.removeItem(key);
  return () => {
    for (const [key, text] of removedEntries) {
      try {
        if (storage?.getItem(key) === null) storage.setItem(key, text);
      } catch {
        // The storage was closed or filled meanwhile: nobody could put it back.
      }
    }
  };
}
