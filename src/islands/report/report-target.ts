/** What a report is about; `id` is the character's, also for what it said, or the maker's. */
export type ReportTarget =
  | { kind: 'character'; id: string }
  | { kind: 'creator'; id: string }
  | { kind: 'message'; id: string; conversationId: string; messageId: string };

/** What the address of a character's report says: the character, or one message of theirs. */
export function parseReportTarget(characterId: string, search: string): ReportTarget {
  const query = new URLSearchParams(search);
  const conversationId = query.get('conversation') ?? '';
  const messageId = query.get('message') ?? '';
  return conversationId === '' || messageId === ''
    ? { kind: 'character', id: characterId }
    : { kind: 'message', id: characterId, conversationId, messageId };
}

/** The address of the form for a message. */
export function getMessageReportHref(source: {
  characterId: string;
  conversationId: string;
  messageId: string;
}): string {
  const query = new URLSearchParams({ conversation: source.conversationId, message: source.messageId });
  return `/character/${encodeURIComponent(source.characterId)}/report?${query}`;
}
