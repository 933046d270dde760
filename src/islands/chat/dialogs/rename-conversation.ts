import type { Chat, ChatNotice } from '../chat.ts';

/**
 * Renames the open conversation.
 * @returns the error, for the dialog to show, and removes it from the page; null on success
 */
export async function renameOpenConversation(chat: Chat, title: string): Promise<ChatNotice | null> {
  if (await chat.rename(title)) return null;
  const { notice } = chat.$chat.get();
  chat.dismissNotice();
  return notice ?? { code: 'rename_failed', error: '' };
}
