import { and, eq, exists } from 'drizzle-orm';
import { MAX_SAVED_ITEMS } from './limits.ts';
import { likes } from '../../db/schema/character.ts';
import { insertWithinLimit } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { characters } from '../../db/schema/core.ts';
import { isVisibleTo, type Viewer } from './character-store.ts';
import type { LikeState } from './contract.ts';

/** One like of one account. */
interface Like {
  userId: string;
  characterId: string;
}

const matchLike = ({ userId, characterId }: Like) =>
  and(eq(likes.userId, userId), eq(likes.characterId, characterId));

/** Whether the user likes a character, and how many accounts do: 0 for a character that the viewer cannot open. */
export async function getLikeState(
  db: Database,
  { viewer, ...which }: Like & { viewer: Viewer },
): Promise<LikeState> {
  const [like, character] = await db.batch([
    db.select({ at: likes.createdAt }).from(likes).where(matchLike(which)),
    db
      .select({ count: characters.likeCount })
      .from(characters)
      .where(and(eq(characters.id, which.characterId), isVisibleTo(viewer))),
  ]);
  return { liked: like.length > 0, likes: character[0]?.count ?? 0 };
}

/**
 * Likes a character that the viewer can open; a repeated like counts once. A trigger counts it in the same statement.
 * @returns `not_found` when the viewer cannot open the character, `cannot_target_self` when it is their own, `like_limit` when
 * they like too many
 */
export async function addLike(
  db: Database,
  { viewer, now, ...which }: Like & { viewer: Viewer; now: number },
): Promise<'kept' | 'not_found' | 'cannot_target_self' | 'like_limit'> {
  const open = db
    .select({ creatorId: characters.creatorId })
    .from(characters)
    .where(and(eq(characters.id, which.characterId), isVisibleTo(viewer)));
  const character = await open.get();
  if (character?.creatorId === which.userId) return 'cannot_target_self';
  return insertWithinLimit(
    db,
    likes,
    { ...which, createdAt: now },
    { most: MAX_SAVED_ITEMS.likes, over: 'like_limit', same: matchLike(which), needs: exists(open) },
  );
}

/** Takes a like back; does nothing if there is none. */
export async function removeLike(db: Database, which: Like): Promise<void> {
  await db.delete(likes).where(matchLike(which));
}
