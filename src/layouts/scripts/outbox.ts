import { getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { USER_KEY_PREFIXES, listUserStorageKeys } from '../../islands/shared/user-storage.ts';

/** Sends what waits for the network in conversations that this page does not show; the code for it comes only then. */
export function setUpOutbox(): void {
  const sendQueued = () => {
    if (!navigator.onLine || listUserStorageKeys(getDeviceStorage(), [USER_KEY_PREFIXES.outbox]).length === 0)
      return;
    import('../../islands/shared/outbox-sender.ts').then(
      ({ sendQueuedMessages }) => sendQueuedMessages(),
      () => {},
    );
  };
  window.addEventListener('online', sendQueued);
  sendQueued();
}
