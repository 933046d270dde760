import { createContext, use } from 'react';
import type { Chat } from './chat.ts';

export const ChatContext = createContext<Chat | null>(null);

/** The chat that the surrounding island shows. */
export function useChat(): Chat {
  const chat = use(ChatContext);
  if (!chat) throw new Error('useChat is read inside a chat only');
  return chat;
}
