import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { isRemovedByStaff } from '../safety/removed-picture-statements.ts';
import { characters, conversations, pictures, users } from '../../db/schema/core.ts';
import type { PictureUsage } from './visibility.ts';

/** Characters that are looked at for one picture: as a rule there is one, and each is a tag of the answer. */
const MAX_CHARACTERS = 20;
/** Characters with one picture that somebody has stories with. */
const MAX_CONVERSATIONS = 20;

/** A picture with what shows it now; null when there is none of that key, or it is being taken away. */
export async function getPictureUsage(db: Database, key: string): Promise<PictureUsage | null> {
  const rows = await db
    .select({
      ownerId: pictures.ownerId,
      broughtAt: pictures.createdAt,
      // Of a suspended account no page shows it.
      isFace: sql<number>`${users.avatarKey} is ${pictures.key} and ${users.suspendedAt} is null`,
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
    // Of more than fit, those come first that open it.
    .orderBy(
      sql`${characters.visibility} <> 'private' and ${characters.moderation} = 'shown' and ${characters.deletedAt} is null desc`,
      characters.nsfwAllowed,
      // `public` before `unlisted`.
      characters.visibility,
    )
    .limit(MAX_CHARACTERS);
  const [first] = rows;
  if (first === undefined) return null;
  const { ownerId, broughtAt, isFace, isRemoved } = first;
  return {
    ownerId,
    uploadedAt: broughtAt,
    isAvatar: isFace === 1,
    isRemoved: isRemoved === 1,
    characters: rows.flatMap(({ character }) => (character === null ? [] : [character])),
  };
}

/** The characters, as they are now, of those of somebody's stories that show a picture. @param path as stories name it */
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
