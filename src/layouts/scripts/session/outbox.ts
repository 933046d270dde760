import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { USER_KEY_PREFIXES, listUserStorageKeys } from '../../../islands/shared/user-storage.ts';

/** Sends queued messages of conversations that this page does not show; loads the code only then. */
export function setUpOutbox(): void {
  const sendQueued = () => {
    if (!navigator.onLine || listUserStorageKeys(getDeviceStorage(), [USER_KEY_PREFIXES.outbox]).length === 0)
      return;
    import('../../../islands/shared/outbox-sender.ts').then(
      ({ sendQueuedMessages }) => sendQueuedMessages(),
      () => {},
    );
  };
  window.addEventListener('online', sendQueued);
  sendQueued();
}
