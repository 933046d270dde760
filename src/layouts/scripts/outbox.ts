import { deviceStorage } from '../../islands/shared/device-storage.ts';
import { PRIVATE_KEYS, writings } from '../../islands/shared/user-storage.ts';

/** Sends what waits for the network in conversations that this page does not show; the code for it comes only then. */
export function wireOutbox(): void {
  const send = () => {
    if (!navigator.onLine || writings(deviceStorage(), [PRIVATE_KEYS.outbox]).length === 0) return;
    import('../../islands/shared/outbox-sender.ts').then(
      ({ sendWhatWaits }) => sendWhatWaits(),
      () => {},
    );
  };
  window.addEventListener('online', send);
  send();
}
