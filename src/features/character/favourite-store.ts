import { and, desc, eq, exists } from 'drizzle-orm';
import { MAX_SAVED_ITEMS } from './limits.ts';
import { favourites } from '../../db/schema/character.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import { insertWithinLimit } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { cardColumns, isVisibleTo, toCard, type Viewer } from './character-store.ts';
import type { CharacterList } from './contract.ts';

/** One favourite of one account. */
interface Favourite {
  userId: string;
  characterId: string;
}

const matchFavourite = ({ userId, characterId }: Favourite) =>
  and(eq(favourites.userId, userId), eq(favourites.characterId, characterId));

/** Whether a character is among the user's favourites, even if it can no longer be seen. */
export async function isFavourite(db: Database, which: Favourite): Promise<boolean> {
  const row = await db
    .select({ at: favourites.createdAt })
    .from(favourites)
    .where(matchFavourite(which))
    .get();
  return row !== undefined;
}

/**
 * Adds a character that the viewer can open to the favourites; an existing favourite keeps its position in the list.
 * @returns `not_found` when the viewer cannot open the character, `favourite_limit` when there are too many favourites
 */
export async function addFavourite(
  db: Database,
  { viewer, now, ...which }: Favourite & { viewer: Viewer; now: number },
): Promise<'kept' | 'not_found' | 'favourite_limit'> {
  const open = db
    .select({ id: characters.id })
    .from(characters)
    .where(and(eq(characters.id, which.characterId), isVisibleTo(viewer)));
  return insertWithinLimit(
    db,
    favourites,
    { ...which, createdAt: now },
    {
      most: MAX_SAVED_ITEMS.favourites,
      over: 'favourite_limit',
      same: matchFavourite(which),
      needs: exists(open),
    },
  );
}

/** Removes a favourite; does nothing if there is none. */
export async function removeFavourite(db: Database, which: Favourite): Promise<void> {
  await db.delete(favourites).where(matchFavourite(which));
}

/** Returns the user's favourites that they can open now, most recently added first. */
export async function listFavouriteCharacters(
  db: Database,
  {
    userId,
    viewer,
    cursor,
    limit,
  }: { userId: string; viewer: Viewer; cursor?: string | undefined; limit: number },
): Promise<CharacterList> {
  const { createdAt, characterId } = favourites;
  // Cross joins fix the join order: a user's favourites are few, and already in the right order.
  const rows = await db
    .select({ ...cardColumns, keptAt: createdAt })
    .from(favourites)
    .crossJoin(characters)
    .crossJoin(users)
    .where(
      and(
        eq(favourites.userId, userId),
        buildCursorCondition(decodeCursor(cursor), createdAt, characterId),
        eq(characters.id, characterId),
        eq(users.id, characters.creatorId),
        isVisibleTo(viewer),
      ),
    )
    .orderBy(desc(createdAt), desc(characterId))
    .limit(limit + 1);
  return buildPage(rows, limit, { place: ({ keptAt, id }) => ({ value: keptAt, id }), item: toCard });
}
