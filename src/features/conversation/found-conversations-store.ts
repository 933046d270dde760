import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { characters, conversations } from '../../db/schema/core.ts';
import { presentConversationCharacter } from '../character/portrait.ts';

/** A conversation of a list or a search result, with name and picture from D1. */
export interface FoundConversation {
  characterId: string;
  characterName: string;
  avatarUrl: string;
  /** Whether it is in the trash: it is not shown in results, but it may be restored. */
  trashed: boolean;
}

/**
 * Returns those of the given conversations that the user owns, by id.
 * @param ids at most 100, because each is a parameter of the query
 * @param spicy whether the user is an adult with spicy mode on
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

/** Lists the ids of all conversations that the user's list should have, including those in the trash. */
export async function listConversationIds(db: Database, ownerId: string): Promise<string[]> {
  const rows = await db.select({ id: conversations.id }).from(conversations).where(isListed(ownerId));
  return rows.map(({ id }) => id);
}

/** Number of the conversations that the user's list should have, including those in the trash. */
export async function countConversations(db: Database, ownerId: string): Promise<number> {
  return db.$count(conversations, isListed(ownerId));
}

/** Those without a message of the user are not in their list. */
const isListed = (ownerId: string) =>
  and(eq(conversations.ownerId, ownerId), eq(conversations.isBegun, true));
