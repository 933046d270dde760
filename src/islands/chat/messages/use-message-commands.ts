import { useMemo } from 'react';
import { useWords } from '../../shared/i18n.tsx';
import { useChat } from '../chat-context.ts';
import { messageCommands, type MessageCommands } from '../state/message-commands.ts';
import { $selectedModel } from '../state/models-state.ts';

/** The ways to do something with the messages of the surrounding chat. */
export function useMessageCommands(): MessageCommands {
  const chat = useChat();
  const words = useWords('chat');
  return useMemo(() => messageCommands(chat, () => $selectedModel.get(), words), [chat, words]);
}
