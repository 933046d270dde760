import type { ConversationPage } from '../../../features/conversation/contract.ts';
import {
  createReplyView,
  withEarlier,
  withFollowed,
  withLater,
} from '../../../features/conversation/messages/reply-view.ts';
import type { Result } from '../../shared/api.ts';
import type { HistoryPosition } from '../../shared/chat-api.ts';
import type { HistoryNavigation } from '../chat.ts';
import { showFailureNotice, type ChatCore } from '../state/chat-core.ts';

/** Messages per page when scrolling through a long history; fills several screens. */
const SCROLL_PAGE_SIZE = 100;

/** Loads parts of the history: earlier, later, around a message, or the newest. */
export function createHistoryNavigation(core: ChatCore): HistoryNavigation {
  const { api } = core.deps;

  /** Loads a page, renders it and follows a reply that is being written in it. Null when it is no longer wanted. */
  async function fetchPageAt<R>(
    id: string,
    place: HistoryPosition,
    take: (answer: Result<ConversationPage>) => R,
    { isWanted = () => true, limit }: { isWanted?: () => boolean; limit?: number } = {},
  ): Promise<R | null> {
    const call = () => api.conversation(id, { place, ...(limit === undefined ? {} : { limit }) });
    const result = await core.order.fetchInOrder(
      call,
      () => core.getConversationId() === id && isWanted(),
      take,
    );
    core.followShown();
    return result;
  }

  async function showNewest(): Promise<void> {
    if (core.state().laterCursor === null) return;
    core.change({ later: 'loading' });
    const outcome = await core.syncNewest();
    core.change({ later: outcome === 'failed' ? 'failed' : 'idle' });
    if (outcome === 'gone') await core.handleNotFound();
  }

  return {
    async showEarlier() {
      const { conversation, earlierCursor, earlier } = core.state();
      if (!conversation || !earlierCursor || earlier === 'loading') return;
      core.change({ earlier: 'loading' });
      const take = (answer: Result<ConversationPage>) => {
        if (!answer.ok) return core.change({ earlier: 'failed' });
        core.draw(withEarlier(core.view(), answer.data.messages));
        core.change({ earlier: 'idle', earlierCursor: answer.data.next_cursor });
      };
      // Another part of the conversation may be shown when the page arrives.
      const isWanted = () => core.state().earlierCursor === earlierCursor;
      await fetchPageAt(conversation.id, { before: earlierCursor }, take, {
        isWanted,
        limit: SCROLL_PAGE_SIZE,
      });
    },
    async showLater() {
      const { conversation, laterCursor, later } = core.state();
      if (!conversation || !laterCursor || later === 'loading') return;
      core.change({ later: 'loading' });
      const take = (answer: Result<ConversationPage>) => {
        if (!answer.ok) return core.change({ later: 'failed' });
        core.draw(withLater(core.view(), answer.data.messages));
        core.change({ later: 'idle', laterCursor: answer.data.later_cursor });
      };
      const isWanted = () => core.state().laterCursor === laterCursor;
      await fetchPageAt(conversation.id, { after: laterCursor }, take, { isWanted, limit: SCROLL_PAGE_SIZE });
    },
    async showMessage(messageId) {
      const id = core.getConversationId();
      if (id === null) return;
      if (!core.view().messages.some((message) => message.id === messageId)) {
        const isThere = await fetchPageAt(id, { around: messageId }, (answer) => {
          if (!answer.ok) {
            const gone = answer.status === 404 ? { ...answer, code: 'message_not_found', error: '' } : answer;
            return showFailureNotice(core, gone, 'message_not_found');
          }
          const { messages, next_cursor, later_cursor } = answer.data;
          // Unsent messages come after the newest one, so show them only with it.
          const waiting =
            later_cursor === null ? core.view().messages.filter(({ delivery }) => delivery !== 'stored') : [];
          const { messages: found, ...none } = createReplyView(messages);
          core.draw(withFollowed({ ...none, messages: [...found, ...waiting] }, core.view()));
          core.change({
            earlierCursor: next_cursor,
            laterCursor: later_cursor,
            earlier: 'idle',
            later: 'idle',
          });
          return true;
        });
        if (isThere !== true) return;
      }
      core.change({ scrollTarget: { messageId } });
    },
    showNewest,
  };
}
