import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';
import { getDeviceStorage } from '../../shared/device-storage.ts';
import { USER_KEY_PREFIXES } from '../../shared/user-storage.ts';

/** Ids of messages whose helplines were dismissed on this page, for browsers without storage. */
const $dismissed = atom<ReadonlySet<string>>(new Set());

const getKey = (messageId: string) => USER_KEY_PREFIXES.help + messageId;

function isHelpDismissed(messageId: string): boolean {
  if ($dismissed.get().has(messageId)) return true;
  try {
    return getDeviceStorage()?.getItem(getKey(messageId)) != null;
  } catch {
    return false;
  }
}

/** Stores on this device that the user dismissed the helplines for a message. */
export function dismissHelp(messageId: string): void {
  try {
    getDeviceStorage()?.setItem(getKey(messageId), '1');
  } catch {
    // Storage is full or blocked: the helplines are pinned again on the next page.
  }
  $dismissed.set(new Set([...$dismissed.get(), messageId]));
}

const subscribe = (onChange: () => void) => $dismissed.listen(onChange);

/**
 * Whether the user dismissed the helplines for a message on this device; null while the page's HTML takes effect, for
 * which the server did not know it. The HTML has both places, and components/scripts/scroll-chat.js hides one of them
 * before the first paint.
 */
export const useIsHelpDismissed = (messageId: string | null): boolean | null =>
  useSyncExternalStore<boolean | null>(
    subscribe,
    () => messageId !== null && isHelpDismissed(messageId),
    () => null,
  );
