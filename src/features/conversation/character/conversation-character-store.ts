import { eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { characters, conversations } from '../../../db/schema/core.ts';
import { getCharacterState, type RatedCharacter } from './character-state.ts';
import type { CharacterState } from '../contract.ts';

/** A conversation's character in its current state, not as of when the conversation began. */
export interface ConversationCharacter extends RatedCharacter {
  creatorId: string;
  moderation: 'shown' | 'hidden' | 'removed';
  visibility: 'public' | 'unlisted' | 'private';
  /** Never `gone`: only the conversation itself knows that. */
  state: Exclude<CharacterState, 'gone'>;
  version: number;
}

const { nsfwAllowed, creatorId, visibility, moderation, deletedAt, version } = getTableColumns(characters);

/** The columns that `toConversationCharacter` needs. */
export const CONVERSATION_CHARACTER_COLUMNS = {
  nsfwAllowed,
  creatorId,
  visibility,
  moderation,
  deletedAt,
  version,
};

/** @param row with {@link CONVERSATION_CHARACTER_COLUMNS} */
export function toConversationCharacter(
  row: Omit<ConversationCharacter, 'state'> & Parameters<typeof getCharacterState>[0],
): ConversationCharacter {
  const { nsfwAllowed, creatorId, visibility, moderation, version } = row;
  return { nsfwAllowed, creatorId, visibility, moderation, version, state: getCharacterState(row) };
}

/** Returns the character of a conversation; null when the id is unknown or the character was deleted with its creator. */
export async function findConversationCharacter(
  db: Database,
  conversationId: string,
): Promise<ConversationCharacter | null> {
  const row = await db
    .select(CONVERSATION_CHARACTER_COLUMNS)
    .from(conversations)
    .innerJoin(characters, eq(characters.id, conversations.characterId))
    .where(eq(conversations.id, conversationId))
    .get();
  return row === undefined ? null : toConversationCharacter(row);
}

/** Returns a character by its own id; null when it was deleted with its creator. */
export async function findRatedCharacter(
  db: Database,
  characterId: string,
): Promise<ConversationCharacter | null> {
  const row = await db
    .select(CONVERSATION_CHARACTER_COLUMNS)
    .from(characters)
    .where(eq(characters.id, characterId))
    .get();
  return row === undefined ? null : toConversationCharacter(row);
}
