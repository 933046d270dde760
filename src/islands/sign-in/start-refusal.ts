import { getDeviceStorage } from '../shared/device-storage.ts';

/** Where a page stores why a visitor who started a chat could not become a guest, for the chat page that opens next. */
export const START_REFUSAL_KEY = 'start-refusal';

/** Returns the error code once; null when no start was refused. */
export function extractStartRefusal(): string | null {
  try {
    const storage = getDeviceStorage();
    const code = storage?.getItem(START_REFUSAL_KEY) ?? null;
    storage?.removeItem(START_REFUSAL_KEY);
    return code;
  } catch {
    return null;
  }
}
