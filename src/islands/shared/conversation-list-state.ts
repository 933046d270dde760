import { atom } from 'nanostores';
import { CHAT_LIST } from '../../features/conversation/limits.ts';
import type { ChatList } from '../../features/conversation/contract.ts';
import { api } from './api.ts';

/** The conversation list, newest first. Keeps the known conversations while it loads again. */
export const $conversationList = atom<{
  status: 'idle' | 'loading' | 'ready' | 'failed';
  chats: ChatList['chats'];
}>({
  status: 'idle',
  chats: [],
});

let latest = 0;

/** Loads the conversation list. Of concurrent calls only the latest sets the list. */
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
