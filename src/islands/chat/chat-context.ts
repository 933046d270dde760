import { useStore } from '@nanostores/react';
import { createContext, use, useState, useSyncExternalStore, useMemo } from 'react';
import type { ConversationPage } from '../../features/conversation/contract.ts';
import type { ViewMessage } from '../../features/conversation/messages/reply-view.ts';
import { TIME_ZONE } from '../shared/api.ts';
import type { AiNoticeForm } from '../../features/conversation/messages/ai-notice-form.ts';
import type { ModelType } from '../../features/model/contract.ts';
import type { Chat, ChatState } from './chat.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { createMessageCommands, type MessageCommands } from './state/message-commands.ts';
import { $models, $selectedModel, getDemoLabel } from './state/models-state.ts';

export const ChatContext = createContext<Chat | null>(null);

/** What the page's HTML shows of the chat, and the time and place that it was rendered for. */
export interface Opening {
  /** The conversation; null when there is none yet, and the greeting is shown. */
  page: ConversationPage | null;
  /** Milliseconds since 1970. */
  openedAt: number;
  timeZone: string;
}

export const OpeningContext = createContext<Opening | null>(null);

/** Whether the page shows the greeting until there is a conversation. */
export const useIsGreeting = (): boolean => use(OpeningContext)?.page === null;

/** How the AI notice looks for the user, as the page was rendered; the conversation says it later. */
export const AiNoticeContext = createContext<AiNoticeForm>('bold');

/** Returns how the AI notice looks for the user. */
export function useAiNoticeForm(): AiNoticeForm {
  const rendered = use(AiNoticeContext);
  return useChatState(({ conversation }) => conversation?.ai_notice) ?? rendered;
}

/** Returns when the chat was opened, in milliseconds since 1970. */
export function useOpenedAt(): number {
  const opening = use(OpeningContext);
  const [openedAt] = useState(() => opening?.openedAt ?? Date.now());
  return openedAt;
}

/** For values that do not change while a page is open. */
export const subscribeToNothing = () => () => {};
const getBrowserZone = () => TIME_ZONE;

/** Returns the user's time zone: the browser's, and while the page's HTML takes effect, the one that it was rendered for. */
export function useTimeZone(): string {
  const opening = use(OpeningContext);
  return useSyncExternalStore(
    subscribeToNothing,
    getBrowserZone,
    () => opening?.timeZone ?? getBrowserZone(),
  );
}

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

/** Returns the label of the demo model that replies; null when the model is no demo. */
export function useDemoLabel(modelType: ModelType | null): string | null {
  const models = useStore($models, { ssr: 'initial' });
  const selected = useStore($selectedModel, { ssr: 'initial' });
  const lastModel = useChatState(
    ({ view }) => view.messages.findLast(({ role }) => role === 'character')?.versions.at(-1)?.model ?? null,
  );
  return getDemoLabel(models, selected, { modelType, lastModel });
}
