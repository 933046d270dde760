import { useMemo } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { useChat } from '../chat-context.ts';
import { createMessageCommands, type MessageCommands } from '../state/message-commands.ts';
import { $selectedModel } from '../state/models-state.ts';

/** Returns the message commands of the surrounding chat. */
export function useMessageCommands(): MessageCommands {
  const chat = useChat();
  const words = useTranslate('chat');
  return useMemo(() => createMessageCommands(chat, () => $selectedModel.get(), words), [chat, words]);
}
