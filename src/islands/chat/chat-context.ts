import { createContext, use, useSyncExternalStore, useMemo } from 'react';
import type { ViewMessage } from '../../features/conversation/messages/reply-view.ts';
import type { Chat, ChatState } from './chat.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { createMessageCommands, type MessageCommands } from './state/message-commands.ts';
import { $selectedModel } from './state/models-state.ts';

export const ChatContext = createContext<Chat | null>(null);

/**
 * Returns the chat of the surrounding island.
 * @throws Error outside a chat
 */
export function useChat(): Chat {
  const chat = use(ChatContext);
  if (!chat) throw new Error('useChat is read inside a chat only');
  return chat;
}

/**
 * Returns a value computed from the chat's state. The component renders again only when the value changes, because the
 * state changes with every word of a reply.
 * @param select returns a primitive value, or an object that the state contains
 */
export function useChatState<T>(select: (state: ChatState) => T): T {
  const { $chat } = useChat();
  return useSyncExternalStore(
    $chat.listen,
    () => select($chat.get()),
    // The page was drawn with it.
    () => select($chat.init ?? $chat.get()),
  );
}

/** Returns a field of the chat's state. */
export const useChatField = <K extends keyof ChatState>(field: K): ChatState[K] =>
  useChatState((state) => state[field]);

/** Returns a shown message; undefined without a key, and when the message is not shown any more. */
export const useShownMessage = (key: string | undefined): ViewMessage | undefined =>
  useChatState(({ view }) => view.messages.find((message) => message.key === key));

/** Returns the message commands of the surrounding chat. */
export function useMessageCommands(): MessageCommands {
  const chat = useChat();
  const words = useTranslate('chat');
  return useMemo(() => createMessageCommands(chat, () => $selectedModel.get(), words), [chat, words]);
}
