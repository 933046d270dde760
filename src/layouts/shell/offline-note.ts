import type { WorkerMessage } from '../../features/offline/contract.ts';
import { $chats } from '../../islands/shared/chats-state.ts';
import { $readsCopy } from '../../islands/shared/copy-state.ts';
import { mayKeepPages, tellServiceWorker } from './service-worker.ts';

/** Has the open conversation kept on this device, and again whenever it has gone on. */
function keepOpenConversation(): void {
  let fetched = 0;
  $chats.subscribe(({ status, chats }) => {
    if (status !== 'ready') return;
    fetched += 1;
    const id = new URLSearchParams(location.search).get('conversation_id');
    const chat = chats.find((one) => one.id === id);
    if (!chat || !navigator.onLine) return;
    void tellServiceWorker({
      kind: 'keep',
      id: chat.id,
      lastMessageTime: chat.last_message_time,
      // A rewritten reply changes no time; the history is fetched again only after something happened.
      changed: fetched > 1,
    });
  });
}

/** Knows when what one reads comes from this device; a chat tells of it where one writes. */
export function wireOfflineNote(): void {
  if (!mayKeepPages()) return;
  keepOpenConversation();
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    $readsCopy.set(data.kind === 'copy');
  });
  window.addEventListener('online', () => $readsCopy.set(false));
}
