import type { ConversationPage } from '../../../features/conversation/contract.ts';
import type { Result } from '../../shared/api.ts';
import type { ChatDeps, ChatTarget } from '../chat.ts';

/** Finds the conversation that a page is for, or begins it. */
export interface ConversationOpener {
  /**
   * The conversation that was asked for: by its id, a new one that goes on from a scene, the newest with the
   * character, or a new one.
   */
  find(target: ChatTarget): Promise<Result<ConversationPage>>;
  /** Begins a conversation with a character. */
  create(characterId: string, scene?: 'home'): Promise<Result<ConversationPage>>;
}

export function createConversationOpener({
  api,
  chatsChanged,
}: Pick<ChatDeps, 'api' | 'chatsChanged'>): ConversationOpener {
  async function create(characterId: string, scene?: 'home'): Promise<Result<ConversationPage>> {
    const answer = await (scene
      ? api.createConversation(characterId, scene)
      : api.createConversation(characterId));
    if (!answer.ok) return answer;
    chatsChanged();
    return { ok: true, data: { ...answer.data, next_cursor: null, later_cursor: null } };
  }

  return {
    create,
    async find({ conversationId, characterId, scene, messageId }) {
      if (conversationId && messageId) {
        const found = await api.conversation(conversationId, { place: { around: messageId } });
        // A message that is gone by now: the conversation is still there, and says so.
        if (found.ok || found.status !== 404) return found;
      }
      if (conversationId) return api.conversation(conversationId);
      if (!characterId) return { ok: false, status: 0, code: 'no_chat_named', error: '' };
      if (scene) {
        const started = await create(characterId, scene);
        // The home page shows somebody else's scene by now: the character is still there to talk with.
        if (started.ok || started.status !== 404) return started;
      }
      const list = await api.conversationsWith(characterId);
      if (!list.ok) return list;
      const newest = list.data.items[0];
      return newest ? api.conversation(newest.id) : create(characterId);
    },
  };
}
