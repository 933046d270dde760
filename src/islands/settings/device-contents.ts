import { CHAT_SETTINGS_KEY } from '../chat/appearance/chat-settings.ts';
import { USER_CACHE } from '../../features/offline/contract.ts';
import { USER_KEY_PREFIXES, listUserStorageKeys } from '../shared/user-storage.ts';

/** The user's data on this device, counted by kind. */
export interface DeviceContents {
  drafts: number;
  /** Messages waiting to be sent. */
  unsent: number;
  /** Chats readable offline. */
  copies: number;
  /** 1 when the device has a setting for chats: appearance and reading aloud. */
  chatSettings: number;
}

export type StoredTextKind = 'drafts' | 'unsent' | 'chatSettings';

const KEY_PREFIXES: Record<StoredTextKind, string> = {
  drafts: USER_KEY_PREFIXES.draft,
  unsent: USER_KEY_PREFIXES.outbox,
  chatSettings: CHAT_SETTINGS_KEY,
};

/** The part of the Cache API used here. */
export type CacheReader = Pick<CacheStorage, 'has' | 'open'>;

const CACHED_CHAT_PATH = /^\/api\/conversations\/[^/]+$/;

function countUnsent(storage: Storage | null): number {
  let count = 0;
  for (const key of listUserStorageKeys(storage, [KEY_PREFIXES.unsent])) {
    try {
      const items: unknown = JSON.parse(storage?.getItem(key) ?? '[]');
      count += Array.isArray(items) ? items.length : 0;
    } catch {
      // Malformed entries count as no messages.
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

/** Counts the stored data; a blocked storage counts as empty. */
export async function inspectDevice(
  storage: Storage | null,
  copies: CacheReader | null,
): Promise<DeviceContents> {
  return {
    drafts: listUserStorageKeys(storage, [KEY_PREFIXES.drafts]).length,
    unsent: countUnsent(storage),
    copies: await countCopies(copies),
    chatSettings: listUserStorageKeys(storage, [KEY_PREFIXES.chatSettings]).length,
  };
}

/**
 * Removes all texts of a kind from the device.
 * @returns restores them, except where a new text has been stored since
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
        // The storage is blocked or full, so the text cannot be restored.
      }
    }
  };
}
