import type { ConversationParts } from './compose-conversation.ts';
import { isCharacterDeleted } from './character/character-state.ts';
import { updateCharacterVersion } from './character/character-version.ts';
import type { CharacterSource, PinnedSource } from './character/character-copy.ts';
import type { NewConversation } from './create-conversation.ts';
import type { ConversationMeta, PersonaSnapshot } from './conversation-store.ts';
import { chooseGreeting } from './messages/greetings.ts';

/** How a user starts a conversation. */
export interface ConversationStart {
  source: CharacterSource;
  userName: string;
  persona: PersonaSnapshot | null;
  /** The first messages, with macros. */
  opening: NewConversation['opening'];
  /** Index of the greeting that the user chose; null when they chose none. */
  greeting: number | null;
}

/**
 * Makes a conversation in which the user has not written the one that they start now: with the newest version of its
 * character, and their name, persona and greeting. Call it in a transaction.
 * @returns false, and changes nothing, when the user has written in it or it begins with other messages than those
 */
export function applyConversationStart(
  parts: Pick<ConversationParts, 'store' | 'messages' | 'engine' | 'edits' | 'opening'>,
  { source, userName, persona, opening, greeting }: ConversationStart & { source: PinnedSource },
  now: number,
): boolean {
  const { store, messages, edits } = parts;
  const { isBegun, character, messageCount } = store.getMeta() as ConversationMeta;
  if (isBegun || isCharacterDeleted(parts) || character.id !== source.character.id) return false;
  const wanted = opening.filter(({ content }) => content.trim() !== '');
  if (messageCount !== wanted.length) return false;
  const shown = messages.getPage(null, opening.length)?.messages ?? [];
  const isSame = shown.every(({ role, content }, index) => {
    // One greeting can be replaced by another, the lines of a scene cannot.
    return role === wanted[index]?.role && (wanted.length === 1 || content === wanted[index].content);
  });
  if (!isSame) return false;
  updateCharacterVersion(parts, source, now);
  // A greeting that cannot be chosen, because the current one has too many versions, leaves the current one.
  if (greeting !== null) chooseGreeting(parts, parts.opening(), greeting, () => false, now);
  edits.updateNames({ userName, persona });
  return true;
}
