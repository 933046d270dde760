import type { ConversationPage } from '../../../features/conversation/contract.ts';
import type { Result } from '../../shared/api.ts';
import type { ChatDeps, ChatTarget } from '../chat.ts';

/** Finds or creates the conversation of a page. */
export interface ConversationOpener {
  /**
   * Finds the conversation by id, starts a new one from a scene, takes the newest one with the character, or creates one.
   */
  find(target: ChatTarget): Promise<Result<ConversationPage>>;
  /** Creates a conversation with a character. */
  create(characterId: string, scene?: 'home'): Promise<Result<ConversationPage>>;
}

export function createConversationOpener({ api }: Pick<ChatDeps, 'api'>): ConversationOpener {
  async function create(characterId: string, scene?: 'home'): Promise<Result<ConversationPage>> {
    const answer = await (scene
      ? api.createConversation(characterId, scene)
      : api.createConversation(characterId));
    // The list does not change: a conversation is in it from the user's first message on.
    if (!answer.ok) return answer;
    return { ok: true, data: { ...answer.data, next_cursor: null, later_cursor: null } };
  }

  return {
    create,
    async find({ conversationId, characterId, scene, messageId }) {
      if (conversationId && messageId) {
        const found = await api.conversation(conversationId, { place: { around: messageId } });
        // When the message is gone, open the conversation without it; the chat then reports the missing message.
        if (found.ok || found.status !== 404) return found;
      }
      if (conversationId) return api.conversation(conversationId);
      if (!characterId) return { ok: false, status: 0, code: 'chat_not_specified', error: '' };
      if (scene) {
        const started = await create(characterId, scene);
        // When the home page's scene has changed to another character's, start without it.
        if (started.ok || started.status !== 404) return started;
      }
      const list = await api.conversationsWith(characterId);
      if (!list.ok) return list;
      const newest = list.data.items[0];
      return newest ? api.conversation(newest.id) : create(characterId);
    },
  };
}
