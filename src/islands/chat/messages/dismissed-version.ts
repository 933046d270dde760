import { getDeviceStorage } from '../../shared/device-storage.ts';

/** Before the id of a conversation that goes on with an older version of its character, as its person wants it. */
const STORAGE_PREFIX = 'character-version:';

/** The version up to which newer ones were put away for a conversation on this device; 0 for none. */
export function getDismissedVersion(conversationId: string): number {
  try {
    return Number(getDeviceStorage()?.getItem(STORAGE_PREFIX + conversationId)) || 0;
  } catch {
    return 0;
  }
}

/** Remembers on this device that a version of the character is not wanted in a conversation; later ones are offered. */
export function dismissVersion(conversationId: string, version: number): void {
  try {
    getDeviceStorage()?.setItem(STORAGE_PREFIX + conversationId, String(version));
  } catch {
    // Nothing can be kept on this device: it is offered again with the next page.
  }
}
