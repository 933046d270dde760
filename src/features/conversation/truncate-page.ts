import type { ConversationPage } from './contract.ts';

/**
 * Leaves out the earliest messages of a history page until its JSON is short enough. The newest message always stays.
 * @param maxLength of the messages' JSON, in UTF-16 units
 */
export function truncatePage(page: ConversationPage, maxLength: number): ConversationPage {
  const { messages } = page;
  let from = messages.length;
  let length = 0;
  while (from > 0) {
    length += JSON.stringify(messages[from - 1]).length;
    if (length > maxLength && from < messages.length) break;
    from -= 1;
  }
  const first = messages[from];
  if (from === 0 || first === undefined) return page;
  // As in readHistoryPage, the cursor to earlier messages is the id of the first one.
  return { ...page, messages: messages.slice(from), next_cursor: first.id };
}
