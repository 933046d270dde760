import type { PageMessage } from '../../features/offline/contract.ts';
import { runWhenVisible } from './page-views.ts';

type Connection = { saveData?: boolean };

async function registerNow(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    await postToServiceWorker({ kind: 'language', language: document.documentElement.lang });
  } catch {
    // Without a service worker, everything comes from the network.
  }
}

/** Sends a message to the service worker once it is active. */
export async function postToServiceWorker(message: PageMessage): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have no target origin
  active?.postMessage(message);
}

/** Whether this browser can cache pages for offline reading and does not save data. */
export function canCachePages(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return import.meta.env.PROD && 'serviceWorker' in navigator && connection?.saveData !== true;
}

/**
 * Registers the service worker when the page is loaded and idle. Not in data-saving mode, because it downloads more.
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
