import type { Failure } from '../../shared/api.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { $conversationList, refreshConversationList } from '../../shared/conversation-list-state.ts';
import type { Chat, ChatNotice } from '../chat.ts';
import { renameOpenConversation } from '../dialogs/rename-conversation.ts';

// Operations on conversations of the list, whether or not they are open.

/**
 * Moves a conversation that is not open to the trash.
 * @returns whether it is deleted; also true when it was deleted before
 */
export async function deleteConversation(id: string): Promise<boolean> {
  const answer = await chatApi.deleteConversation(id);
  if (!answer.ok && answer.status !== 404) return false;
  const { status, chats } = $conversationList.get();
  $conversationList.set({ status, chats: chats.filter((chat) => chat.id !== id) });
  void refreshConversationList();
  return true;
}

/**
 * Restores a conversation from the trash.
 * @returns whether it succeeded
 */
export async function restoreConversation(id: string): Promise<boolean> {
  const answer = await chatApi.restoreConversation(id);
  if (answer.ok) void refreshConversationList();
  return answer.ok;
}

/** Whether a message was deleted from its conversation; false also when that cannot be determined now. */
export async function isMessageDeleted(id: string, messageId: string): Promise<boolean> {
  const answer = await chatApi.conversation(id, { place: { around: messageId }, limit: 1 });
  return !answer.ok && answer.status === 404;
}

/**
 * Renames a conversation.
 * @returns the error; null on success
 */
export async function renameConversation(chat: Chat, id: string, title: string): Promise<ChatNotice | null> {
  if (id === chat.$chat.get().conversation?.id) return renameOpenConversation(chat, title);
  const answer = await chatApi.rename(id, title);
  if (!answer.ok) return toNotice(answer, 'rename_failed');
  await refreshConversationList();
  return null;
}

/** Turns a failure into a notice, with the operation's own code when the server gave no reason. */
export function toNotice(failure: Failure, code: string): ChatNotice {
  return failure.status === 0 || failure.status >= 500 ? { code, error: '' } : failure;
}
