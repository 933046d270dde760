import type { ConversationPage } from './contract.ts';
import { describeConversation } from './create-conversation.ts';
import type { ConversationParts } from './compose-conversation.ts';
import type { PagePlace } from './messages/message-store.ts';

/**
 * Reads one page of the history. A reply in progress has only the text that its followers have received. Null when the
 * place does not exist.
 */
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
    messages: found.messages.map((message) => engine.withSentText(message)),
    next_cursor: found.earlier ? (found.messages[0]?.id ?? null) : null,
    later_cursor: found.later ? (found.messages.at(-1)?.id ?? null) : null,
    revision: tabs.revision,
  };
}
