import { eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { characters, conversations } from '../../../db/schema/core.ts';
import { getCharacterState } from './character-state.ts';
import type { CharacterState } from '../contract.ts';
import type { RatedCharacter } from './content-rating.ts';

/** A conversation's character as it is now, not as it was when the conversation began. */
export interface ConversationCharacter extends RatedCharacter {
  creatorId: string;
  moderation: 'shown' | 'hidden' | 'removed';
  visibility: 'public' | 'unlisted' | 'private';
  /** Never `gone`: that the conversation itself knows. */
  state: Exclude<CharacterState, 'gone'>;
  version: number;
}

const { nsfwAllowed, creatorId, visibility, moderation, deletedAt, version } = getTableColumns(characters);

/** The columns that a story asks of its character. */
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

/** The character of a conversation; null when there is none of that id, or its character is gone. */
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

/** A character for whoever has a story with it; null when it is gone. */
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
