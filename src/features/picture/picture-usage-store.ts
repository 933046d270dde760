import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { isRemovedByStaff } from '../safety/removed-picture-statements.ts';
import { characters, conversations, personas, pictures, users } from '../../db/schema/core.ts';
import type { PictureUsage } from './visibility.ts';

/** Characters checked per picture. Usually there is one, and each adds a cache tag to the response. */
const MAX_CHARACTERS = 20;
/** Characters checked per user and picture. */
const MAX_CONVERSATIONS = 20;

/** Returns a picture and its uses; null if it does not exist or is being deleted. */
export async function getPictureUsage(db: Database, key: string): Promise<PictureUsage | null> {
  const rows = await db
    .select({
      ownerId: pictures.ownerId,
      broughtAt: pictures.createdAt,
      // A suspended account's avatar appears on no page.
      isFace: sql<number>`${users.avatarKey} is ${pictures.key} and ${users.suspendedAt} is null`,
      isOfPersona: sql<number>`exists (select 1 from ${personas} as role where role.owner_id = ${pictures.ownerId} and role.avatar_key = ${pictures.key})`,
      isRemoved: sql<number>`${isRemovedByStaff}`,
      character: {
        id: characters.id,
        visibility: characters.visibility,
        nsfwAllowed: characters.nsfwAllowed,
        moderation: characters.moderation,
        deletedAt: characters.deletedAt,
      },
    })
    .from(pictures)
    .innerJoin(users, eq(users.id, pictures.ownerId))
    .leftJoin(
      characters,
      and(eq(characters.creatorId, pictures.ownerId), eq(characters.avatarKey, pictures.key)),
    )
    .where(and(eq(pictures.key, key), gt(pictures.createdAt, 0)))
    // With more rows than the limit, the characters that make the picture visible come first.
    .orderBy(
      sql`${characters.visibility} <> 'private' and ${characters.moderation} = 'shown' and ${characters.deletedAt} is null desc`,
      characters.nsfwAllowed,
      // Sorts `public` before `unlisted`.
      characters.visibility,
    )
    .limit(MAX_CHARACTERS);
  const [first] = rows;
  if (first === undefined) return null;
  const { ownerId, broughtAt, isFace, isOfPersona, isRemoved } = first;
  return {
    ownerId,
    uploadedAt: broughtAt,
    isAvatar: isFace === 1,
    isOfPersona: isOfPersona === 1,
    isRemoved: isRemoved === 1,
    characters: rows.flatMap(({ character }) => (character === null ? [] : [character])),
  };
}

/**
 * The current state of the characters in the user's conversations that show a picture. @param path the picture's URL path
 */
export async function listCharactersWithPicture(
  db: Database,
  { userId, path }: { userId: string; path: string },
) {
  return db
    .selectDistinct({
      creatorId: characters.creatorId,
      nsfwAllowed: characters.nsfwAllowed,
      moderation: characters.moderation,
    })
    .from(conversations)
    .innerJoin(characters, eq(characters.id, conversations.characterId))
    .where(and(eq(conversations.ownerId, userId), eq(conversations.avatarUrl, path)))
    .limit(MAX_CONVERSATIONS);
}
