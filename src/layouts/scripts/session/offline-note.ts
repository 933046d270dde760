import type { WorkerMessage } from '../../../features/offline/contract.ts';
import { api } from '../../../islands/shared/api.ts';
import { $conversationList } from '../../../islands/shared/conversation-list-state.ts';
import { $isOfflineCopy } from '../../../islands/shared/cached-copies-state.ts';
import { canCachePages, postToServiceWorker } from '../service-worker.ts';

/** Delay between checks whether the server is reachable, in ms: doubles from the minimum to the maximum. */
const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 60_000;

/** Stores the open conversation on this device, and again after each change. */
function cacheOpenConversation(): void {
  let fetchCount = 0;
  $conversationList.subscribe(({ status, chats }) => {
    if (status !== 'ready') return;
    fetchCount += 1;
    const id = new URLSearchParams(location.search).get('conversation_id');
    const chat = chats.find((one) => one.id === id);
    if (!chat || !navigator.onLine) return;
    void postToServiceWorker({
      kind: 'keep',
      id: chat.id,
      lastMessageTime: chat.last_message_time,
      // A regenerated reply does not change the time; later fetches of the history only happen after a change.
      changed: fetchCount > 1,
    });
  });
}

/**
 * Polls the server with increasing delay while a cached copy is shown despite a network: the server was down, or the
 * worker's message arrived late. The service worker reports the result.
 */
function pollWhileOffline(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedulePoll = (ms: number): void => {
    timer = setTimeout(() => {
      // Without a network, the `online` event takes over.
      if (!navigator.onLine) return;
      if (!document.hidden) void api.authStatus();
      schedulePoll(Math.min(ms * 2, MAX_RETRY_DELAY_MS));
    }, ms);
  };
  $isOfflineCopy.listen((isReadingCopy) => {
    clearTimeout(timer);
    if (isReadingCopy) schedulePoll(MIN_RETRY_DELAY_MS);
  });
}

/** Tracks whether the page shows a copy from this device; the chat displays it next to the composer. */
export function setUpOfflineNote(): void {
  if (!canCachePages()) return;
  cacheOpenConversation();
  pollWhileOffline();
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    $isOfflineCopy.set(data.kind === 'copy');
  });
  window.addEventListener('online', () => $isOfflineCopy.set(false));
}
