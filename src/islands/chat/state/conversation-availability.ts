import type { ChatState, ConversationDeeds } from '../chat.ts';
import { noticeOf, type ChatCore } from './chat-core.ts';

/** Whether the conversation is there at all: it goes to the trash, comes back, here and elsewhere. */
export interface Presence extends Pick<ConversationDeeds, 'remove' | 'bringBack'> {
  missing: ChatCore['missing'];
  /** It was deleted in another tab or on another device. */
  gone(): void;
  /** Looks whether a conversation that was not there is back, and shows it then. @returns whether it is */
  lookAgain(): Promise<boolean>;
}

/** Whether the page says that its conversation is not there. */
export const isAway = ({ phase }: Pick<ChatState, 'phase'>) => phase === 'deleted' || phase === 'not-found';

export function createPresence(core: ChatCore): Presence {
  const { api, chatsChanged } = core.deps;
  let looking = false;

  async function lookAgain(): Promise<boolean> {
    const id = core.wantedId();
    if (id === null || looking || !isAway(core.state())) return false;
    looking = true;
    const answer = await api.conversation(id);
    looking = false;
    if (!answer.ok || core.wantedId() !== id || !isAway(core.state())) return false;
    core.show(answer.data);
    chatsChanged();
    return true;
  }

  return {
    lookAgain,
    gone: () =>
      core.change({ phase: 'deleted', trashedUntil: null, activity: 'idle', connected: true, notice: null }),
    async missing() {
      const id = core.wantedId();
      // Only its owner's trash holds it: to everybody else it is not there.
      const trash = id === null ? null : await api.trashedConversations();
      if (core.wantedId() !== id) return;
      const trashed = trash?.ok ? trash.data.items.find((item) => item.id === id) : undefined;
      core.change(
        trashed
          ? { phase: 'deleted', trashedUntil: trashed.expires_at }
          : { phase: 'not-found', trashedUntil: null },
      );
    },
    async remove() {
      const id = core.currentId();
      if (id === null) return false;
      const answer = await api.deleteConversation(id);
      if (!answer.ok) return noticeOf(core, answer, 'conversation_delete_failed');
      chatsChanged();
      if (core.currentId() === id) core.change({ phase: 'deleted', trashedUntil: null });
      return true;
    },
    async bringBack() {
      const id = core.wantedId();
      if (id === null) return false;
      const answer = await api.restoreConversation(id);
      if (!answer.ok && answer.status === 404) {
        // Taken back elsewhere already, or erased for good.
        const back = await lookAgain();
        if (!back && core.wantedId() === id && isAway(core.state())) core.change({ phase: 'not-found' });
        return back;
      }
      if (!answer.ok) return noticeOf(core, answer, 'restore_failed');
      chatsChanged();
      const page = await api.conversation(id);
      if (!page.ok) return noticeOf(core, page, 'switch_failed');
      if (core.wantedId() === id) core.show(page.data);
      return true;
    },
  };
}
