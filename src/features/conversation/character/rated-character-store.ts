import { eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { characters, conversations } from '../../../db/schema/core.ts';
import { characterStateOf } from './character-state.ts';
import type { CharacterState } from '../contract.ts';
import type { RatedCharacter } from './rating.ts';

/** A conversation's character as it is now, not as it was when the conversation began. */
export interface StoryCharacter extends RatedCharacter {
  creatorId: string;
  moderation: 'shown' | 'hidden' | 'removed';
  visibility: 'public' | 'unlisted' | 'private';
  /** Never `gone`: that the conversation itself knows. */
  state: Exclude<CharacterState, 'gone'>;
  version: number;
}

const { nsfwAllowed, creatorId, visibility, moderation, deletedAt, version } = getTableColumns(characters);

/** The columns that a story asks of its character. */
export const STORY_COLUMNS = { nsfwAllowed, creatorId, visibility, moderation, deletedAt, version };

/** @param row with {@link STORY_COLUMNS} */
export function toStoryCharacter(
  row: Omit<StoryCharacter, 'state'> & Parameters<typeof characterStateOf>[0],
): StoryCharacter {
  const { nsfwAllowed, creatorId, visibility, moderation, version } = row;
  return { nsfwAllowed, creatorId, visibility, moderation, version, state: characterStateOf(row) };
}

/** The character of a conversation; null when there is none of that id, or its character is gone. */
export async function characterOfStory(db: Database, conversationId: string): Promise<StoryCharacter | null> {
  const row = await db
    .select(STORY_COLUMNS)
    .from(conversations)
    .innerJoin(characters, eq(characters.id, conversations.characterId))
    .where(eq(conversations.id, conversationId))
    .get();
  return row === undefined ? null : toStoryCharacter(row);
}

/** A character for whoever has a story with it; null when it is gone. */
export async function storyCharacter(db: Database, characterId: string): Promise<StoryCharacter | null> {
  const row = await db.select(STORY_COLUMNS).from(characters).where(eq(characters.id, characterId)).get();
  return row === undefined ? null : toStoryCharacter(row);
}
