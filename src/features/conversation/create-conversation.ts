import { createId } from '../../lib/ids.ts';
import type { Conversation } from './contract.ts';
import type {
  CharacterSnapshot,
  ConversationStore,
  ConversationMeta,
  PersonaSnapshot,
} from './conversation-store.ts';
import { getGreetingChoice } from './messages/greetings.ts';
import type { Opening } from './messages/greetings-store.ts';
import type { MessageStore } from './messages/message-store.ts';
import type { ConversationLore } from './prompt/conversation-lore.ts';
import { replaceMacros, getMacroNames, getPersonName } from './macro-names.ts';

/** What a conversation takes over of a version of its character. */
export interface CharacterSource {
  character: CharacterSnapshot;
  /** As text of JSON; null when it has none. */
  lorebook: string | null;
}

/** How a conversation begins. */
export interface NewConversation {
  id: string;
  ownerId: string;
  userName: string;
  persona: PersonaSnapshot | null;
  character: CharacterSnapshot;
  /** The character's, as text of JSON; none when it is left out. */
  lorebook?: string | null;
  title?: string | null;
  /** Milliseconds since 1970; now, when it is left out. */
  createdAt?: number;
  /**
   * The messages it begins with, macros and all: as a rule the character's first message alone. Empty ones are left out.
   */
  opening: readonly { role: 'user' | 'character'; content: string }[];
}

/** Writes a conversation that has just begun. */
export function initConversation(
  { store, messages, lore }: { store: ConversationStore; messages: MessageStore; lore: ConversationLore },
  { opening, title = null, createdAt, lorebook = null, ...input }: NewConversation,
  now: number,
): void {
  store.create({ ...input, title, createdAt: createdAt ?? now });
  // Should it never be listed, nobody could find it, nor erase it: then it erases itself (`Entrance.isNobodys`).
  store.setUnlistedSince(now);
  lore.saveBook(lorebook);
  const names = getMacroNames(input);
  for (const [index, { role, content }] of opening.entries()) {
    const text = replaceMacros(content, names);
    if (text.trim() === '') continue;
    // Before its first message, which is read as it begins. What is copied or brought along is longer than a screen, and
    // goes on at its end: there the next message bears it.
    store.setNoticedAt(now);
    // A millisecond apart, so that their ids keep their order.
    const at = now + index;
    const id = createId(at);
    messages.add({
      id,
      versionId: createId(at),
      role,
      status: 'complete',
      content: text,
      model: null,
      clientMessageId: null,
      name: null,
      ...(text === content ? {} : { template: content }),
      now: at,
    });
    messages.notifyChanged([id]);
  }
  store.touch(now);
  // The caller writes the list row of a conversation that has just begun.
  store.markListRowWritten();
}

/** A conversation as its reader knows it. */
export function describeConversation({
  store,
  opening,
}: {
  store: ConversationStore;
  opening: () => Opening | null;
}): Conversation {
  const meta = store.getMeta() as ConversationMeta;
  const { nickname, version = 1 } = meta.character;
  const greeting = getGreetingChoice(meta, opening);
  return {
    id: meta.id,
    character_id: meta.character.id,
    character_name: meta.character.name,
    avatar_url: meta.character.avatar_url,
    title: meta.title,
    created_at: new Date(meta.createdAt).toISOString(),
    last_message_time: new Date(meta.updatedAt).toISOString(),
    message_count: meta.messageCount,
    suggested_replies: meta.character.suggested_replies.map((reply) =>
      replaceMacros(reply, getMacroNames(meta)),
    ),
    persona: meta.persona === null ? null : { id: meta.persona.id, name: meta.persona.name },
    user_name: getPersonName(meta),
    own_name: meta.userName,
    context_start_id: meta.contextStartId,
    character_version: version,
    ...(nickname === undefined ? {} : { character_nickname: nickname }),
    ...(greeting === undefined ? {} : { greeting }),
    ...(meta.character.gone === true ? { character_gone: true as const } : {}),
  };
}
