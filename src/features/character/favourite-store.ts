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

/** Whether somebody keeps a character, whatever has become of it. */
export async function isFavourite(db: Database, which: Favourite): Promise<boolean> {
  const row = await db
    .select({ at: favourites.createdAt })
    .from(favourites)
    .where(matchFavourite(which))
    .get();
  return row !== undefined;
}

/**
 * Keeps a character that this viewer can open; one that is kept already stays where it is in the list.
 * @returns `not_found` for one that does not open for them, `favourite_limit` where they keep as many as they may
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

/** Lets a character go; harmless where it was not kept. */
export async function removeFavourite(db: Database, which: Favourite): Promise<void> {
  await db.delete(favourites).where(matchFavourite(which));
}

/** Somebody's favourites that open for them now, what they kept last first. */
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
  // Crossed in this order and no other: what one keeps is few, and in its own order already.
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
