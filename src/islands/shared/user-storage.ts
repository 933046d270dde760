/**
 * Beginnings of the keys under which a device keeps what is one person's: what they wrote, mostly followed by a
 * conversation's id, and what they hide from their lists.
 */
export const USER_KEY_PREFIXES = { draft: 'draft:', outbox: 'outbox:', hidden: 'hidden:' } as const;

/** The beginning of the keys of characters that are being written. */
export const CHARACTER_DRAFT_PREFIX = `${USER_KEY_PREFIXES.draft}character:`;

/** The keys of what is one person's on this device, of some kinds or of all. */
export function listUserStorageKeys(
  storage: Pick<Storage, 'key' | 'length'> | null,
  kinds: readonly string[] = Object.values(USER_KEY_PREFIXES),
): string[] {
  try {
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
    return keys.filter((key) => kinds.some((prefix) => key.startsWith(prefix)));
  } catch {
    // A storage that may not be read holds nothing of ours.
    return [];
  }
}

/** Removes everything that is one person's from this device: who signs out leaves nothing behind. */
export function clearUserStorage(storage: Storage | null): void {
  for (const key of listUserStorageKeys(storage)) storage?.removeItem(key);
}
