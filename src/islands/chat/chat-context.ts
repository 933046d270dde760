import { createContext, use } from 'react';
import type { Chat } from './chat.ts';

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
