import type { Conversation, Message } from '../contract.ts';
import type { CharacterSnapshot, ConversationStore, ConversationMeta } from '../conversation-store.ts';
import type { Opening } from './greetings-store.ts';
import type { MessageStore } from './message-store.ts';
import { replaceMacros, getMacroNames } from '../macro-names.ts';
import { canAddVersion } from '../message-limits.ts';

type Greetings = Pick<CharacterSnapshot, 'first_message' | 'alternate_greetings'>;

/** All greetings of a character, with macros; the index is the greeting's id. Blank ones cannot be chosen. */
const listGreetings = ({ first_message, alternate_greetings = [] }: Greetings): string[] => [
  first_message,
  ...alternate_greetings,
];

const isBlank = (text: string) => text.trim() === '';

/**
 * Returns the opening of a new conversation, with macros.
 * @param index undefined for the first greeting that is not blank; null is returned when there is no such greeting
 */
export function getGreeting(character: Greetings, index: number | undefined): string | null {
  const greetings = listGreetings(character);
  if (index === undefined) return greetings.find((text) => !isBlank(text)) ?? '';
  const text = greetings[index];
  return text === undefined || (index > 0 && isBlank(text)) ? null : text;
}

/** Returns the position of the current greeting and its neighbours; undefined when there is no choice any more. */
export function getGreetingChoice(
  { character, messageCount }: { character: Greetings; messageCount: number },
  opening: () => Opening | null,
): Conversation['greeting'] {
  const greetings = listGreetings(character);
  if (messageCount !== 1 || greetings.length < 2) return undefined;
  const first = opening();
  if (first === null || first.role === 'user' || !first.untouched) return undefined;
  const indexes = [...greetings.keys()].filter((index) => !isBlank(greetings[index] ?? ''));
  const at = indexes.findIndex((index) => greetings[index] === first.written);
  if (at === -1 || indexes.length < 2) return undefined;
  return {
    at: at + 1,
    count: indexes.length,
    before: indexes[at - 1] ?? null,
    after: indexes[at + 1] ?? null,
  };
}

export type GreetingRefusal = {
  ok: false;
  code: 'invalid_input' | 'conversation_started' | 'reply_in_progress' | 'version_limit';
};

/**
 * Replaces the greeting while it is the only message. An edited greeting stays as a version; an unchanged one is removed.
 * @param isWriting whether the reply with this id is being written
 */
export function chooseGreeting(
  { store, messages }: { store: ConversationStore; messages: MessageStore },
  opening: Opening | null,
  index: number,
  isWriting: (messageId: string) => boolean,
  now: number,
): { ok: true; message: Message } | GreetingRefusal {
  const meta = store.getMeta() as ConversationMeta;
  const text = listGreetings(store.getCharacter())[index];
  if (text === undefined || isBlank(text)) return { ok: false, code: 'invalid_input' };
  if (opening === null || opening.role === 'user' || meta.messageCount !== 1)
    return { ok: false, code: 'conversation_started' };
  const { messageId, written, untouched } = opening;
  if (isWriting(messageId)) return { ok: false, code: 'reply_in_progress' };
  if (written !== text) {
    if (!untouched && !canAddVersion(messages.listVersions(messageId)))
      return { ok: false, code: 'version_limit' };
    writeGreeting(text, { meta, messages, opening, now });
  }
  return { ok: true, message: messages.findMessage(messageId) as Message };
}

/** Writes a greeting (with macros) as the first message and removes the current one if it is unchanged. */
function writeGreeting(
  text: string,
  {
    meta,
    messages,
    opening,
    now,
  }: { meta: ConversationMeta; messages: MessageStore; opening: Opening; now: number },
): void {
  const { messageId, versionId: before, untouched, createdAt } = opening;
  const content = replaceMacros(text, { ...getMacroNames(meta), at: createdAt });
  messages.addVersion(messageId, {
    status: 'complete',
    content,
    model: null,
    ...(content === text ? {} : { template: text }),
    now,
  });
  if (untouched) messages.removeVersion(before);
  messages.notifyChanged([messageId]);
}

/**
 * Replaces an unchanged greeting that is still the only message after a switch of the character version: by the new
 * version's greeting with the same index, otherwise by its first one. When the new version has no greeting, the old one
 * stays.
 * @param before the character version used until now
 */
export function updateGreeting(
  { store, messages }: { store: ConversationStore; messages: MessageStore },
  opening: Opening | null,
  before: CharacterSnapshot,
  isWriting: (messageId: string) => boolean,
  now: number,
): void {
  const meta = store.getMeta() as ConversationMeta;
  if (opening === null || opening.role === 'user' || meta.messageCount !== 1) return;
  const { written, untouched, messageId } = opening;
  const at = listGreetings(before).indexOf(written);
  if (!untouched || at === -1 || isWriting(messageId)) return;
  const character = store.getCharacter();
  const sameIndex = listGreetings(character)[at] ?? '';
  const text = isBlank(sameIndex) ? getGreeting(character, undefined) : sameIndex;
  const isRenamed = getMacroNames({ ...meta, character: before }).char !== getMacroNames(meta).char;
  if (text !== null && !isBlank(text) && (text !== written || isRenamed))
    writeGreeting(text, { meta, messages, opening, now });
}
