import type { ConversationPage } from './contract.ts';
import { describeConversation } from './create-conversation.ts';
import type { ConversationParts } from './compose-conversation.ts';
import type { PagePlace } from './messages/message-store.ts';

/** One page of the history, with the reply that is being written as far as its readers were told it; null where there is no such place. */
export function readHistoryPage(
  parts: Pick<ConversationParts, 'store' | 'opening' | 'messages' | 'engine' | 'tabs'>,
  place: PagePlace,
  limit: number,
): ConversationPage | null {
  const { messages, engine, tabs } = parts;
  const found = messages.getPage(place, limit);
  if (found === null) return null;
  return {
    conversation: describeConversation(parts),
    messages: found.messages.map((message) => engine.asTold(message)),
    next_cursor: found.earlier ? (found.messages[0]?.id ?? null) : null,
    later_cursor: found.later ? (found.messages.at(-1)?.id ?? null) : null,
    revision: tabs.revision,
  };
}
