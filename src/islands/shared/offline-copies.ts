import { USER_CACHE, type PageMessage } from '../../features/offline/contract.ts';

/**
 * Removes the copies of conversations that this device keeps to be read without a network. For whoever leaves;
 * the service worker does the same by itself when the server says that nobody, or somebody else, is here.
 */
export async function clearOfflineCopies(): Promise<void> {
  try {
    const registration = await globalThis.navigator?.serviceWorker?.getRegistration();
    // It may be writing one this moment.
    registration?.active?.postMessage({ kind: 'forget' } satisfies PageMessage);
    await globalThis.caches?.delete(USER_CACHE);
  } catch {
    // Storage that is closed to this page holds no copies.
  }
}
