import type { Conversation } from './contract.ts';
import type { CharacterBooks, PinnedSource } from './character/character-copy.ts';
import type {
  CharacterSnapshot,
  ConversationStore,
  ConversationMeta,
  PersonaSnapshot,
} from './conversation-store.ts';
import { findTitle } from './title/find-title.ts';
import { getGreetingChoice } from './messages/greetings.ts';
import type { Opening } from './messages/greetings-store.ts';
import type { MessageStore } from './messages/message-store.ts';
import type { ReplySettings } from './prompt/reply-settings-contract.ts';
import type { ReplySettingsStore } from './prompt/reply-settings-store.ts';
import { replaceMacros, getMacroNames, getPersonName } from './macro-names.ts';

export interface NewConversation extends Partial<CharacterBooks> {
  id: string;
  ownerId: string;
  userName: string;
  persona: PersonaSnapshot | null;
  character: CharacterSnapshot;
  /** The default when absent. */
  replySettings?: ReplySettings;
  title?: string | null;
  /** Of the conversation that it is forked from; null or absent for others. */
  modelTitle?: string | null;
  firstMessageId?: string | null;
  /** The conversation that it is forked from; null or absent for others. */
  branchOf?: string | null;
  /** False for a conversation that is listed only once the user has written in it; true when absent. */
  isBegun?: boolean;
  /** Milliseconds since 1970; the current time when absent. */
  createdAt?: number;
  /** The first messages with unreplaced macros, usually just the character's greeting. Empty ones are left out. */
  opening: readonly { role: 'user' | 'character'; content: string }[];
}

/** Writes the rows of a new conversation. */
export function initConversation(
  {
    store,
    messages,
    replySettings: settings,
  }: {
    store: ConversationStore;
    messages: MessageStore;
    replySettings: ReplySettingsStore;
  },
  {
    opening,
    title = null,
    modelTitle = null,
    firstMessageId = null,
    branchOf = null,
    isBegun = true,
    createdAt,
    source,
    replySettings,
    ...input
  }: Omit<NewConversation, 'character' | keyof CharacterBooks> & { source: PinnedSource },
  now: number,
): void {
  store.create({
    ...input,
    source,
    title,
    modelTitle,
    firstMessageId,
    branchOf,
    isBegun,
    createdAt: createdAt ?? now,
  });
  // If its row in D1 is never written, no user can find or erase the conversation; then it erases itself
  // (`ConversationHost.isOrphaned`).
  store.setUnlistedSince(now);
  if (replySettings !== undefined) settings.save(replySettings);
  const names = getMacroNames({ ...input, character: source.character });
  for (const [index, { role, content }] of opening.entries()) {
    // One millisecond apart, so that the ids sort in this order.
    const at = now + index;
    const text = replaceMacros(content, { ...names, at });
    if (text.trim() === '') continue;
    // The page shows the AI notice before the first message. Copies and imports have no opening here: they are longer
    // than a screen and are opened at their end, so the next message gets the notice.
    store.setNoticedAt(now);
    const { id } = messages.add({
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
}

/** Builds the API representation of a conversation. */
export function describeConversation({
  store,
  messages,
  opening,
}: {
  store: ConversationStore;
  messages: MessageStore;
  opening: () => Opening | null;
}): Conversation {
  const meta = store.getMeta() as ConversationMeta;
  const { nickname, version = 1 } = meta.character;
  const { messageCount } = meta;
  const greeting =
    messageCount === 1
      ? getGreetingChoice({ character: store.getCharacter(), messageCount }, opening)
      : undefined;
  return {
    id: meta.id,
    character_id: meta.character.id,
    character_name: meta.character.name,
    avatar_url: meta.character.avatar_url,
    title: findTitle(meta, messages),
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
