import type { ChatState, ConversationOperations } from '../chat.ts';
import { showFailureNotice, type ChatCore } from './chat-core.ts';

/** Tracks whether the conversation exists: it can be moved to the trash and restored, here and elsewhere. */
export interface ConversationAvailability extends Pick<ConversationOperations, 'remove' | 'bringBack'> {
  handleNotFound: ChatCore['handleNotFound'];
  /** Called when it was deleted in another tab or on another device. */
  markDeleted(): void;
  /**
   * Checks whether a missing conversation was restored, and shows it if so.
   * @returns whether it was restored
   */
  checkAgain(): Promise<boolean>;
}

/** Whether the page says that its conversation is deleted or not found. */
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
      // Only the owner's trash contains it; other users see "not found".
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
        // It was restored elsewhere, or permanently deleted.
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
