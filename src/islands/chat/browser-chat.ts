import type { ConversationPage } from '../../features/conversation/contract.ts';
import { buildChatHref } from '../../features/conversation/conversation-link.ts';
import { TAB_ID } from '../shared/api.ts';
import { chatApi } from '../shared/chat-api.ts';
import { refreshConversationList } from '../shared/conversation-list-state.ts';
import { browserClock } from '../shared/clock.ts';
import { $session, refreshSession } from '../shared/session-state.ts';
import { pageSession } from '../sign-in/reauthenticate.ts';
import { askToSignIn } from '../sign-in/sign-in-state.ts';
import { extractStartRefusal } from '../sign-in/start-refusal.ts';
import type { Chat, ChatDeps } from './chat.ts';
import { createChat } from './state/chat-state.ts';
import { createDrafts, type StorageChange } from './composer/drafts.ts';
import { notifyRemoteChange } from './state/change-signal.ts';
import { createLiveSocket, type LiveSocket, type LiveSocketDeps } from './state/live-socket.ts';
import { $selectedModel } from './state/models-state.ts';
import { getTabId } from './state/tab-id.ts';
import { $undoable } from './state/undo-state.ts';
import { readDeviceSession } from '../shared/device-session/device-session.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { getTabLocks } from '../shared/outbox.ts';

/**
 * Creates a chat with this page's storage, session and address.
 * @param opened the conversation that the page's HTML shows
 */
export function createBrowserChat(opened: ConversationPage | null): Chat {
  const refusal = extractStartRefusal();
  const deps: ChatDeps = {
    api: chatApi,
    clock: browserClock,
    drafts: createDrafts(getDeviceStorage(), {
      tab: getTabId(),
      locks: getTabLocks(),
      watchStorage,
    }),
    createId: () => crypto.randomUUID(),
    getUserId: pageSession.getUserId,
    signIn: async (why) => {
      if (why === 'again') return pageSession.signIn();
      // The server rejected a session that the page still holds: refresh it, or the sign-in modal would believe it too.
      if ($session.get().auth?.is_authenticated) await refreshSession();
      const { pathname, search } = location;
      // A reply to the home page's scene does not need an account yet: offer to sign in, do not require it.
      const fromScene = new URLSearchParams(search).get('scene') === 'home';
      const signedIn = await askToSignIn({
        ...(refusal === null
          ? fromScene
            ? { reason: 'save', guestFirst: true }
            : { reason: 'required' }
          : { trouble: refusal }),
        keepsPageReadable: true,
        next: pathname + search,
        onCancel: 'home',
      });
      return signedIn ? pageSession.getUserId() : null;
    },
    model: () => $selectedModel.get(),
    isOnline: () => navigator.onLine,
    offerUndo: (done) => $undoable.set(done),
    updateAddress: (conversation) => {
      if (!location.pathname.startsWith('/character/')) return;
      history.replaceState(history.state, '', buildChatHref(conversation));
    },
    chatsChanged: () => void refreshConversationList(),
    onConversationLeft: () => {
      import('../shared/outbox-sender.ts').then(
        ({ sendQueuedMessages }) => sendQueuedMessages(),
        () => {},
      );
    },
    // A hidden page gets no animation frames.
    beforeNextFrame: (run) => {
      if (document.hidden) run();
      else requestAnimationFrame(run);
    },
  };
  return createChat(deps, opened);
}

/**
 * Watches changes that other tabs make to the storage.
 * @returns a function that stops watching
 */
function watchStorage(onChange: (change: StorageChange) => void): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // Signing out erases the storage, and no tab may write its copy back.
    if (key !== null && readDeviceSession() !== null)
      onChange({ key, before: oldValue ?? '', now: newValue ?? '' });
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/**
 * Keeps a chat up to date with its conversation's live events, and wakes it when the network returns or the page becomes
 * visible.
 * @returns a function that stops it
 */
export function keepUpToDate(chat: Chat): () => void {
  const live = createBrowserLiveSocket(chat);
  let listened: string | null = null;
  const stopListening = chat.$chat.subscribe(({ phase, conversation }) => {
    // Listen to a deleted conversation too: it may be restored in another tab or on another device.
    const isListening = phase === 'ready' || phase === 'deleted' || phase === 'not-found';
    const id = isListening ? (conversation?.id ?? null) : null;
    if (id !== listened) live.subscribe((listened = id));
  });
  const stopWaking = watchPageVisibility(chat, live);
  return () => {
    stopListening();
    live.subscribe(null);
    stopWaking();
  };
}

/** Creates the live socket that passes events of a conversation to its chat. */
function createBrowserLiveSocket(chat: Chat): LiveSocket {
  const onHint: LiveSocketDeps['onHint'] = (hint) => {
    chat.handleHint(hint);
    notifyRemoteChange();
  };
  return createLiveSocket({
    clock: browserClock,
    open: (conversationId) =>
      new WebSocket(`/api/conversations/${encodeURIComponent(conversationId)}/live?tab=${TAB_ID}`),
    onHint,
    isPageVisible: () => !document.hidden,
    onReconnect: () => onHint({ type: 'opened', revision: 'unknown' }),
    onSessionEnd: () => void refreshSession(),
  });
}

/**
 * Wakes a chat when the network returns or the page becomes visible.
 * @returns a function that stops watching
 */
function watchPageVisibility(chat: Chat, live: LiveSocket): () => void {
  const onVisible = () => {
    if (document.hidden) return;
    chat.wake();
    live.wake();
  };
  // A window behind another one is never hidden, so use focus too: a missing conversation may be restored by then.
  const onFocus = () => {
    if (chat.$chat.get().phase === 'ready') live.wake();
    else onVisible();
  };
  window.addEventListener('focus', onFocus);
  window.addEventListener('online', onVisible);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    window.removeEventListener('focus', onFocus);
    window.removeEventListener('online', onVisible);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
