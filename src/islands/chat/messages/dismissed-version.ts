import { getDeviceStorage } from '../../shared/device-storage.ts';

/** Storage prefix by conversation id: the newest character version that the user declined for it. */
const STORAGE_PREFIX = 'character-version:';

/** The newest version that was declined for a conversation on this device; 0 for none. */
export function getDismissedVersion(conversationId: string): number {
  try {
    return Number(getDeviceStorage()?.getItem(STORAGE_PREFIX + conversationId)) || 0;
  } catch {
    return 0;
  }
}

/** Stores on this device that the user declined a version of the character. Later versions are offered again. */
export function dismissVersion(conversationId: string, version: number): void {
  try {
    getDeviceStorage()?.setItem(STORAGE_PREFIX + conversationId, String(version));
  } catch {
    // Storage is full or blocked: the version is offered again on the next page.
  }
}
