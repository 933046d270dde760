import { USER_CACHE, type PageMessage } from '../../features/offline/contract.ts';

/**
 * Removes the offline copies of conversations from this device. Call it on logout; the service worker does the same when
 * the server reports no user or a different one.
 */
export async function clearOfflineCopies(): Promise<void> {
  try {
    const registration = await globalThis.navigator?.serviceWorker?.getRegistration();
    // The service worker may be writing a copy right now, so tell it as well.
    registration?.active?.postMessage({ kind: 'forget' } satisfies PageMessage);
    await globalThis.caches?.delete(USER_CACHE);
  } catch {
    // Without access to storage there are no copies.
  }
}
