import { buildChatHref } from '../../features/conversation/conversation-link.ts';
import { TAB_ID } from '../shared/api.ts';
import { chatApi } from '../shared/chat-api.ts';
import { refreshConversationList } from '../shared/conversation-list-state.ts';
import { browserClock } from '../shared/clock.ts';
import { $session, refreshSession } from '../shared/session-state.ts';
import { pageSession } from '../sign-in/reauthenticate.ts';
import { askToSignIn } from '../sign-in/sign-in-state.ts';
import type { Chat } from './chat.ts';
import { createChat } from './state/chat-state.ts';
import { createDrafts, type StorageChange } from './composer/drafts.ts';
import { notifyRemoteChange } from './state/remote-changes.ts';
import { createLiveSocket, type LiveSocket, type LiveSocketDeps } from './state/live-socket.ts';
import { $selectedModel } from './state/models-state.ts';
import { getTabId } from './state/tab-id.ts';
import { $undoable } from './state/undo-state.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { getTabLocks } from '../shared/outbox.ts';

/** A chat that lives in this page. */
export function createBrowserChat(): Chat {
  return createChat({
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
      // The server does not know the session that this page still believes in: the modal must not either.
      if ($session.get().auth?.is_authenticated) await refreshSession();
      if (why === 'again') return pageSession.signIn();
      const { pathname, search } = location;
      // Who answers the home page's scene has not asked for an account: it is offered, not demanded.
      const fromScene = new URLSearchParams(search).get('scene') === 'home';
      const signedIn = await askToSignIn({
        ...(fromScene ? { reason: 'save', guestFirst: true } : { reason: 'required' }),
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
    // A hidden page draws no pictures, and must not wait for one.
    beforeNextFrame: (run) => {
      if (document.hidden) run();
      else requestAnimationFrame(run);
    },
  });
}

/** Hears of what other tabs store. The answer ends that. */
function watchStorage(onChange: (change: StorageChange) => void): () => void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // Who signs out leaves nothing behind: no tab puts back what goes then.
    if (key !== null && getDeviceStorage()?.getItem('who') !== 'visitor')
      onChange({ key, before: oldValue ?? '', now: newValue ?? '' });
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** Tells a chat what happens to its conversation elsewhere. */
export function createBrowserLiveSocket(chat: Chat): LiveSocket {
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
  });
}

/** Wakes a chat when the network comes back or the page is looked at again. The answer ends that. */
export function watchPageVisibility(chat: Chat, live: LiveSocket): () => void {
  const onVisible = () => {
    if (document.hidden) return;
    chat.wake();
    live.wake();
  };
  // A window that is only behind another one is never hidden: a chat that is not there may be back by now.
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
