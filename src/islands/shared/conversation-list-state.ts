import { atom } from 'nanostores';
import { CHAT_LIST } from '../../features/conversation/limits.ts';
import type { ChatList } from '../../features/conversation/contract.ts';
import { api } from './api.ts';

/** The chat history, newest first. While it is fetched again, the chats known already stay. */
export const $conversationList = atom<{
  status: 'idle' | 'loading' | 'ready' | 'failed';
  chats: ChatList['chats'];
}>({
  status: 'idle',
  chats: [],
});

let latest = 0;

/** Fetches the chat history into `$chats`; when called again meanwhile, the later answer counts. */
export async function refreshConversationList(): Promise<void> {
  const call = ++latest;
  $conversationList.set({ status: 'loading', chats: $conversationList.get().chats });
  const answer = await api.listChats();
  if (call !== latest) return;
  $conversationList.set(
    answer.ok
      ? { status: 'ready', chats: answer.data.chats.slice(0, CHAT_LIST.maxItems) }
      : { status: 'failed', chats: $conversationList.get().chats },
  );
}
