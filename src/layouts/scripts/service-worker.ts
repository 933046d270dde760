import type { PageMessage } from '../../features/offline/contract.ts';
import { runWhenVisible } from './page-views.ts';

type Connection = { saveData?: boolean };

async function registerNow(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    await postToServiceWorker({ kind: 'language', language: document.documentElement.lang });
  } catch {
    // A browser that keeps nothing reads everything from the network.
  }
}

/** Tells the service worker something, as soon as there is one. */
export async function postToServiceWorker(message: PageMessage): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of ours has no other origin
  active?.postMessage(message);
}

/** Whether this browser can and may keep pages to be read without a network. */
export function canCachePages(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return import.meta.env.PROD && 'serviceWorker' in navigator && connection?.saveData !== true;
}

/**
 * Sets up the service worker once the page is there and has nothing better to do. Not where people save data: what
 * it keeps is fetched in addition.
 */
export function registerServiceWorker(): void {
  if (!canCachePages()) return;
  const registerWhenIdle = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => void registerNow(), { timeout: 5000 });
    else setTimeout(() => void registerNow(), 2000);
  };
  runWhenVisible(() => {
    if (document.readyState === 'complete') registerWhenIdle();
    else window.addEventListener('load', registerWhenIdle, { once: true });
  });
}
