import type { WorkerMessage } from '../../features/offline/contract.ts';
import { api } from '../../islands/shared/api.ts';
import { $conversationList } from '../../islands/shared/conversation-list-state.ts';
import { browserClock } from '../../islands/shared/clock.ts';
import { $isOfflineCopy } from '../../islands/shared/cached-copies-state.ts';
import { canCachePages, postToServiceWorker } from './service-worker.ts';

/** How long after a copy the server is asked whether it is there, in ms, and the longest of the pauses, which double. */
const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 60_000;

/** Has the open conversation kept on this device, and again whenever it has gone on. */
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
      // A rewritten reply changes no time; the history is fetched again only after something happened.
      changed: fetchCount > 1,
    });
  });
}

/**
 * Asks the server, ever more seldom, for as long as one reads a copy though there is a network: the server was away, or word
 * of the copy came late, when the network was back. The service worker tells what came of it.
 */
function pollWhileOffline(): void {
  let cancelPoll = () => {};
  const schedulePoll = (ms: number): void => {
    cancelPoll = browserClock.after(ms, () => {
      // Whoever has no network hears of it when it is back.
      if (!navigator.onLine) return;
      if (!document.hidden) void api.authStatus();
      schedulePoll(Math.min(ms * 2, MAX_RETRY_DELAY_MS));
    });
  };
  $isOfflineCopy.listen((isReadingCopy) => {
    cancelPoll();
    if (isReadingCopy) schedulePoll(MIN_RETRY_DELAY_MS);
  });
}

/** Knows when what one reads comes from this device; a chat tells of it where one writes. */
export function setUpOfflineNote(): void {
  if (!canCachePages()) return;
  cacheOpenConversation();
  pollWhileOffline();
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    $isOfflineCopy.set(data.kind === 'copy');
  });
  window.addEventListener('online', () => $isOfflineCopy.set(false));
}
