import { DEVICE_SESSION_KEY } from './device-storage.ts';

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

/** Keys that are the device's rather than a user's, and stay. All others go: a key that is added later goes, too. */
const DEVICE_KEYS = new Set([
  'theme',
  'language',
  'language_of_visit',
  'mark-drawn',
  'android-banner-dismissed',
  'chat-settings',
  'selected_model',
  'single-keys',
  'pending-invite-code',
]);

/** Removes all user data from this device on logout. */
export function clearUserStorage(storage: Storage | null): void {
  // First, so that other tabs leave their pages before they see drafts disappear, and write none back.
  storage?.removeItem(DEVICE_SESSION_KEY);
  for (const key of listUserStorageKeys(storage, [''])) if (!DEVICE_KEYS.has(key)) storage?.removeItem(key);
}
