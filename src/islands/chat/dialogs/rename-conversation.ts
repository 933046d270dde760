import type { Chat, ChatNotice } from '../chat.ts';

/**
 * Renames the conversation that is open.
 * @returns why it could not be; null when it is done. The dialog tells of it, so that the page need not
 */
export async function renameOpenConversation(chat: Chat, title: string): Promise<ChatNotice | null> {
  if (await chat.rename(title)) return null;
  const { notice } = chat.$chat.get();
  chat.dismissNotice();
  return notice ?? { code: 'rename_failed', error: '' };
}
