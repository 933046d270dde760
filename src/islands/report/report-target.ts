/** The subject of a report. `id` is the creator's for a creator, otherwise the character's. */
export type ReportTarget =
  | { kind: 'character'; id: string }
  | { kind: 'creator'; id: string }
  | { kind: 'message'; id: string; conversationId: string; messageId: string };

/** Reads the target from the address of a character's report: the character, or one of its messages. */
export function parseReportTarget(characterId: string, search: string): ReportTarget {
  const query = new URLSearchParams(search);
  const conversationId = query.get('conversation') ?? '';
  const messageId = query.get('message') ?? '';
  return conversationId === '' || messageId === ''
    ? { kind: 'character', id: characterId }
    : { kind: 'message', id: characterId, conversationId, messageId };
}

/** The address of the report form for a message. */
export function getMessageReportHref(source: {
  characterId: string;
  conversationId: string;
  messageId: string;
}): string {
  const query = new URLSearchParams({ conversation: source.conversationId, message: source.messageId });
  return `/character/${encodeURIComponent(source.characterId)}/report?${query}`;
}
