import type { ChatHeader, MessageRecord } from './files/chat-record.ts';
import type { NewConversation } from './create-conversation.ts';
import type { CharacterSnapshot, ConversationMeta } from './conversation-store.ts';
import type { ConversationLore } from './prompt/conversation-lore.ts';
import type { MemoryCopy, MemoryStore } from './memory/memory-store.ts';
import type { ReplySettingsStore } from './prompt/reply-settings-store.ts';
import { extractChangedSettings, type ReplySettings } from './prompt/reply-settings-contract.ts';
import type { MessageRecords } from './messages/message-records-store.ts';
import { getPersonName } from './macro-names.ts';

/** The conversation that receives the copy. */
export interface CopyTarget {
  create(input: NewConversation): Promise<unknown>;
  append(userId: string, records: MessageRecord[]): Promise<void>;
  importMemory(userId: string, entries: MemoryCopy[]): Promise<void>;
  erase(userId: string): Promise<unknown>;
}

/**
 * Copies everything up to and including a message into a new conversation, memory included. When the copy fails, the new
 * conversation is erased.
 * @returns false when the message was deleted while copying
 */
export async function copyUpTo(
  source: {
    meta: ConversationMeta;
    character: CharacterSnapshot;
    records: MessageRecords;
    memory: MemoryStore;
    lore: ConversationLore;
    replySettings: ReplySettingsStore;
  },
  messageId: string,
  copyId: string,
  target: CopyTarget,
): Promise<boolean> {
  const { meta, character, records, memory, lore, replySettings } = source;
  const { ownerId, userName, persona, title, modelTitle, firstMessageId } = meta;
  await target.create({
    id: copyId,
    ownerId,
    userName,
    persona,
    character,
    ...lore.readBooks(),
    replySettings: replySettings.get(),
    title,
    modelTitle,
    firstMessageId,
    branchOf: meta.id,
    opening: [],
  });
  try {
    let after: string | null = null;
    do {
      const page: ReturnType<MessageRecords['readPage']> = records.readPage(after, messageId);
      if (page === null) {
        await target.erase(ownerId);
        return false;
      }
      await target.append(ownerId, page.records);
      after = page.next;
    } while (after !== null);
    await target.importMemory(ownerId, memory.listCopiesUpTo(messageId));
    return true;
  } catch (error) {
    await target.erase(ownerId);
    throw error;
  }
}

/** The file header of an exported conversation. */
export function toChatHeader(meta: ConversationMeta, settings: ReplySettings): ChatHeader {
  return {
    userName: getPersonName(meta),
    persona: meta.persona?.name ?? null,
    characterName: meta.character.name,
    createdAt: meta.createdAt,
    title: meta.title,
    replySettings: extractChangedSettings(settings),
    metadata: {},
  };
}
