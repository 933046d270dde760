/** Keys under which a device keeps what somebody wrote; they end with a conversation's id. */
export const PRIVATE_KEYS = { draft: 'draft:', outbox: 'outbox:' } as const;

/** Removes everything that somebody wrote from this device: who signs out leaves no text behind. */
export function forgetWritings(storage: Storage | null): void {
  try {
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
    for (const key of keys) {
      if (Object.values(PRIVATE_KEYS).some((prefix) => key.startsWith(prefix))) storage?.removeItem(key);
    }
  } catch {
    // A storage that may not be read holds nothing of ours.
  }
}
