/**
 * Prefixes of storage keys with one user's data: drafts and outbox, mostly followed by a conversation id, hidden items,
 * the progress of moving in, dismissed helplines, and copies of what pages show first.
 */
export const USER_KEY_PREFIXES = {
  draft: 'draft:',
  outbox: 'outbox:',
  hidden: 'hidden:',
  moveIn: 'move-in:',
  copy: 'copy:',
  /** Messages whose helplines were dismissed. */
  help: 'help-dismissed:',
} as const;

/** Storage prefix of unfinished characters. */
export const CHARACTER_DRAFT_PREFIX = `${USER_KEY_PREFIXES.draft}character:`;

/** Lists the storage keys with user data, of some kinds or all. */
export function listUserStorageKeys(
  storage: Pick<Storage, 'key' | 'length'> | null,
  kinds: readonly string[] = Object.values(USER_KEY_PREFIXES),
): string[] {
  try {
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
    return keys.filter((key) => kinds.some((prefix) => key.startsWith(prefix)));
  } catch {
    // Storage that cannot be read holds none of our keys.
    return [];
  }
}

/** Removes all user data from this device on logout. */
export function clearUserStorage(storage: Storage | null): void {
  for (const key of listUserStorageKeys(storage)) storage?.removeItem(key);
}
