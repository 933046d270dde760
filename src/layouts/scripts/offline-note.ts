import type { WorkerMessage } from '../../features/offline/contract.ts';
import { api } from '../../islands/shared/api.ts';
import { $chats } from '../../islands/shared/chats-state.ts';
import { browserClock } from '../../islands/shared/clock.ts';
import { $readsCopy } from '../../islands/shared/cached-copies-state.ts';
import { mayKeepPages, tellServiceWorker } from './service-worker.ts';

/** How long after a copy the server is asked whether it is there, in ms, and the longest of the pauses, which double. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

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

/**
 * Asks the server, ever more seldom, for as long as one reads a copy though there is a network: the server was away, or word
 * of the copy came late, when the network was back. The service worker tells what came of it.
 */
function askWhileReadingCopy(): void {
  let callOff = () => {};
  const askAfter = (ms: number): void => {
    callOff = browserClock.after(ms, () => {
      // Whoever has no network hears of it when it is back.
      if (!navigator.onLine) return;
      if (!document.hidden) void api.authStatus();
      askAfter(Math.min(ms * 2, LONGEST_PAUSE_MS));
    });
  };
  $readsCopy.listen((reads) => {
    callOff();
    if (reads) askAfter(FIRST_PAUSE_MS);
  });
}

/** Knows when what one reads comes from this device; a chat tells of it where one writes. */
export function wireOfflineNote(): void {
  if (!mayKeepPages()) return;
  keepOpenConversation();
  askWhileReadingCopy();
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    $readsCopy.set(data.kind === 'copy');
  });
  window.addEventListener('online', () => $readsCopy.set(false));
}
