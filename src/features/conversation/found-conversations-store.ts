import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { characters, conversations } from '../../db/schema/core.ts';
import { presentConversationCharacter } from '../character/portrait.ts';

/** What the list of found messages shows of their conversations: the names and faces in D1. */
export interface FoundConversation {
  characterId: string;
  characterName: string;
  avatarUrl: string;
  /** It lies in the trash: nothing of it is shown, and all of it may come back. */
  trashed: boolean;
}

/**
 * Those of some conversations that are this person's, by their ids.
 * @param ids at most 100: each is a parameter of the query
 * @param spicy whether the person is an adult with spicy mode on
 */
export async function findConversationsByIds(
  db: Database,
  ownerId: string,
  ids: readonly string[],
  spicy = false,
): Promise<Map<string, FoundConversation>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: conversations.id,
      characterId: conversations.characterId,
      storyName: conversations.characterName,
      storyAvatar: conversations.avatarUrl,
      name: characters.name,
      avatarKey: characters.avatarKey,
      nsfwAllowed: characters.nsfwAllowed,
      moderation: characters.moderation,
      creatorId: characters.creatorId,
      deletedAt: conversations.deletedAt,
    })
    .from(conversations)
    .innerJoin(characters, eq(characters.id, conversations.characterId))
    .where(and(inArray(conversations.id, [...ids]), eq(conversations.ownerId, ownerId)));
  return new Map(
    rows.map((row) => {
      const { name, avatarUrl } = presentConversationCharacter(row, { userId: ownerId, spicy });
      const { id, characterId, deletedAt } = row;
      return [id, { characterId, characterName: name, avatarUrl, trashed: deletedAt !== null }];
    }),
  );
}

/** The ids of all conversations of a person, those in the trash included. */
export async function listConversationIds(db: Database, ownerId: string): Promise<string[]> {
  const rows = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.ownerId, ownerId));
  return rows.map(({ id }) => id);
}

/** The ids of a person's conversations in the trash. */
export async function listTrashedConversationIds(db: Database, ownerId: string): Promise<string[]> {
  const rows = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.ownerId, ownerId), isNotNull(conversations.deletedAt)));
  return rows.map(({ id }) => id);
}
