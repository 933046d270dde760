import type { ChatState, ConversationOperations } from '../chat.ts';
import { showFailureNotice, type ChatCore } from './chat-core.ts';

/** Whether the conversation is there at all: it goes to the trash, comes back, here and elsewhere. */
export interface ConversationAvailability extends Pick<ConversationOperations, 'remove' | 'bringBack'> {
  handleNotFound: ChatCore['handleNotFound'];
  /** It was deleted in another tab or on another device. */
  markDeleted(): void;
  /** Looks whether a conversation that was not there is back, and shows it then. @returns whether it is */
  checkAgain(): Promise<boolean>;
}

/** Whether the page says that its conversation is not there. */
export const isUnavailable = ({ phase }: Pick<ChatState, 'phase'>) =>
  phase === 'deleted' || phase === 'not-found';

export function createConversationAvailability(core: ChatCore): ConversationAvailability {
  const { api, chatsChanged } = core.deps;
  let isChecking = false;

  async function checkAgain(): Promise<boolean> {
    const id = core.getTargetId();
    if (id === null || isChecking || !isUnavailable(core.state())) return false;
    isChecking = true;
    const answer = await api.conversation(id);
    isChecking = false;
    if (!answer.ok || core.getTargetId() !== id || !isUnavailable(core.state())) return false;
    core.show(answer.data);
    chatsChanged();
    return true;
  }

  return {
    checkAgain,
    markDeleted: () =>
      core.change({ phase: 'deleted', trashedUntil: null, activity: 'idle', connected: true, notice: null }),
    async handleNotFound() {
      const id = core.getTargetId();
      // Only its owner's trash holds it: to everybody else it is not there.
      const trash = id === null ? null : await api.trashedConversations();
      if (core.getTargetId() !== id) return;
      const trashed = trash?.ok ? trash.data.items.find((item) => item.id === id) : undefined;
      core.change(
        trashed
          ? { phase: 'deleted', trashedUntil: trashed.expires_at }
          : { phase: 'not-found', trashedUntil: null },
      );
    },
    async remove() {
      const id = core.getConversationId();
      if (id === null) return false;
      const answer = await api.deleteConversation(id);
      if (!answer.ok) return showFailureNotice(core, answer, 'conversation_delete_failed');
      chatsChanged();
      if (core.getConversationId() === id) core.change({ phase: 'deleted', trashedUntil: null });
      return true;
    },
    async bringBack() {
      const id = core.getTargetId();
      if (id === null) return false;
      const answer = await api.restoreConversation(id);
      if (!answer.ok && answer.status === 404) {
        // Taken back elsewhere already, or erased for good.
        const back = await checkAgain();
        if (!back && core.getTargetId() === id && isUnavailable(core.state()))
          core.change({ phase: 'not-found' });
        return back;
      }
      if (!answer.ok) return showFailureNotice(core, answer, 'restore_failed');
      chatsChanged();
      const page = await api.conversation(id);
      if (!page.ok) return showFailureNotice(core, page, 'switch_failed');
      if (core.getTargetId() === id) core.show(page.data);
      return true;
    },
  };
}
