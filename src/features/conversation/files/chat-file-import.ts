import type { CarriedFields, JsonObject } from './chat-file.ts';
import type { ChatHeader, MessageRecord } from './chat-record.ts';

/** How a chat of a file becomes a conversation of ours, and the other way. */

/**
 * A message as it stands in the conversation that it is brought into, marked as brought. Who spoke keeps their name: what
 * was said under the present name of another character is that character's still.
 */
export function toImportedMessage(
  record: MessageRecord,
  header: ChatHeader,
  characterName: string,
): MessageRecord {
  const other = record.role === 'character' && record.name === null && header.characterName !== characterName;
  const source: CarriedFields = { ...record.source, imported: record.versions.length };
  return {
    ...record,
    source: source as JsonObject,
    ...(other ? { name: header.characterName } : {}),
  };
}

/** The first message, with what other programs keep of the whole chat: a conversation has no place of its own for it. */
export function withChatMetadata(first: MessageRecord, { metadata }: ChatHeader): MessageRecord {
  if (metadata === null) return first;
  const source: CarriedFields = { ...first.source, chat: metadata };
  return { ...first, source: source as JsonObject };
}

/** A header for the file of a conversation that begins with this message. */
export function withCarriedMetadata(header: ChatHeader, first: MessageRecord | undefined): ChatHeader {
  const { chat } = (first?.source ?? {}) as CarriedFields;
  return { ...header, metadata: { ...chat, ...header.metadata } };
}

/** What stands beside the text of a version when it is handed on, in UTF-16 units, as a rule far less. */
const OVERHEAD_CHARS = 256;

/** How much of a message there is to hand on, in UTF-16 units. */
export function countRecordChars({ versions, source }: MessageRecord): number {
  const texts = versions.reduce((sum, { content }) => sum + content.length + OVERHEAD_CHARS, 0);
  return texts + (source === null ? 0 : JSON.stringify(source).length);
}
