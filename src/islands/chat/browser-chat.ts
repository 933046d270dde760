import { chatApi } from '../shared/chat-api.ts';
import { refreshChats } from '../shared/chats-state.ts';
import { browserClock } from '../shared/clock.ts';
import { $session, knownSession, refreshSession } from '../shared/session-state.ts';
import { askToSignIn } from '../sign-in/sign-in-state.ts';
import type { Chat } from './chat.ts';
import { createChat } from './chat-state.ts';
import { createDrafts } from './drafts.ts';
import { deviceStorage } from '../shared/device-storage.ts';

/** A chat that lives in this page. */
export function browserChat(): Chat {
  return createChat({
    api: chatApi,
    clock: browserClock,
    drafts: createDrafts(deviceStorage()),
    newId: () => crypto.randomUUID(),
    isSignedIn: async () => (await knownSession()).is_authenticated,
    signIn: async (why) => {
      // The server does not know the session that this page still believes in: the modal must not either.
      if ($session.get().auth?.is_authenticated) await refreshSession();
      return askToSignIn(
        why === 'entry'
          ? { reason: 'required', next: location.pathname + location.search, onCancel: 'home' }
          : { reason: 'required', onCancel: 'stay' },
      );
    },
    showAddress: ({ id, character_id }) => {
      if (!location.pathname.startsWith('/character/')) return;
      const query = new URLSearchParams({ conversation_id: id });
      history.replaceState(history.state, '', `/character/${encodeURIComponent(character_id)}?${query}`);
    },
    chatsChanged: () => void refreshChats(),
    // A hidden page draws no pictures, and must not wait for one.
    beforeNextFrame: (run) => {
      if (document.hidden) run();
      else requestAnimationFrame(run);
    },
  });
}

/** Wakes a chat when the network comes back or the page is looked at again. The answer ends that. */
export function wakeWithPage(chat: Chat): () => void {
  const onVisible = () => {
    if (!document.hidden) chat.wake();
  };
  window.addEventListener('online', chat.wake);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    window.removeEventListener('online', chat.wake);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
