import type { CarriedFields, JsonObject } from './chat-file.ts';
import type { ChatHeader, MessageRecord } from './chat-record.ts';

/** Converts between imported messages and messages of a conversation. */

/**
 * Marks a message as imported. If the file's character has another name than the conversation's, the message keeps the
 * name of its speaker.
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

/** Stores other programs' metadata of the chat with its first message, because a conversation has no field for it. */
export function withChatMetadata(first: MessageRecord, { metadata }: ChatHeader): MessageRecord {
  if (metadata === null) return first;
  const source: CarriedFields = { ...first.source, chat: metadata };
  return { ...first, source: source as JsonObject };
}

/** Adds the metadata stored with a conversation's first message to the header of its file. */
export function withCarriedMetadata(header: ChatHeader, first: MessageRecord | undefined): ChatHeader {
  const { chat } = (first?.source ?? {}) as CarriedFields;
  return { ...header, metadata: { ...chat, ...header.metadata } };
}

const encoder = new TextEncoder();

/** The bytes of a message's texts and carried fields as UTF-8. */
export function countRecordBytes({ versions, source }: MessageRecord): number {
  const texts = versions.flatMap(({ content, thinking = '', regenerateNote = '' }) => [
    content,
    thinking,
    regenerateNote,
  ]);
  const all = source === null ? texts : [...texts, JSON.stringify(source)];
  return all.reduce((sum, text) => sum + encoder.encode(text).length, 0);
}

/** UTF-16 units counted for the other fields of a version, an upper bound. */
const OVERHEAD_CHARS = 256;

/** The size of a message for a call, in UTF-16 units. */
export function countRecordChars({ versions, source }: MessageRecord): number {
  const texts = versions.reduce(
    (sum, { content, thinking = '', regenerateNote = '' }) =>
      sum + content.length + thinking.length + regenerateNote.length + OVERHEAD_CHARS,
    0,
  );
  return texts + (source === null ? 0 : JSON.stringify(source).length);
}
