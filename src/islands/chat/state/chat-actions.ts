import type { Failure } from '../../shared/api.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { $conversationList, refreshConversationList } from '../../shared/conversation-list-state.ts';
import type { Chat, ChatNotice } from '../chat.ts';
import { renameOpenConversation } from '../dialogs/rename-conversation.ts';

// What can be done with a conversation of the list, whether or not it is the one on the page.

/**
 * Deletes a conversation that is not open, to the trash.
 * @returns whether it was done; one that is gone already counts as done
 */
export async function deleteConversation(id: string): Promise<boolean> {
  const answer = await chatApi.deleteConversation(id);
  if (!answer.ok && answer.status !== 404) return false;
  const { status, chats } = $conversationList.get();
  $conversationList.set({ status, chats: chats.filter((chat) => chat.id !== id) });
  void refreshConversationList();
  return true;
}

/** Takes a conversation out of the trash. @returns whether it was done */
export async function restoreConversation(id: string): Promise<boolean> {
  const answer = await chatApi.restoreConversation(id);
  if (answer.ok) void refreshConversationList();
  return answer.ok;
}

/** Whether a message is surely not in its conversation any more; false also where nobody can tell now. */
export async function isMessageDeleted(id: string, messageId: string): Promise<boolean> {
  const answer = await chatApi.conversation(id, { place: { around: messageId }, limit: 1 });
  return !answer.ok && answer.status === 404;
}

/** Renames a conversation. @returns why it could not be done; null when it is */
export async function renameConversation(chat: Chat, id: string, title: string): Promise<ChatNotice | null> {
  if (id === chat.$chat.get().conversation?.id) return renameOpenConversation(chat, title);
  const answer = await chatApi.rename(id, title);
  if (!answer.ok) return toNotice(answer, 'rename_failed');
  await refreshConversationList();
  return null;
}

/** A failure by the deed's own code where nothing more is known of it. */
export function toNotice(failure: Failure, code: string): ChatNotice {
  return failure.status === 0 || failure.status >= 500 ? { code, error: '' } : failure;
}
