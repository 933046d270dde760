import { and, desc, eq, exists, lt, or, sql } from 'drizzle-orm';
import { CHOICES } from '../../config.ts';
import { favourites } from '../../db/character-schema.ts';
import { readCursor, writeCursor } from '../../db/cursor.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema.ts';
import { cardColumns, opens, toCard, type Viewer } from './character-store.ts';
import type { CharacterList } from './contract.ts';

/** One favourite of one account. */
interface Favourite {
  userId: string;
  characterId: string;
}

const thisOne = ({ userId, characterId }: Favourite) =>
  and(eq(favourites.userId, userId), eq(favourites.characterId, characterId));

/** Whether somebody keeps a character, whatever has become of it. */
export async function isFavourite(db: Database, which: Favourite): Promise<boolean> {
  const row = await db.select({ at: favourites.createdAt }).from(favourites).where(thisOne(which)).get();
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
  const { userId, characterId } = which;
  const open = db
    .select({ id: characters.id })
    .from(characters)
    .where(and(eq(characters.id, characterId), opens(viewer)));
  const room = sql`(select count(*) from ${favourites} where ${favourites.userId} = ${userId}) < ${CHOICES.favourites}`;
  const added = await insertWhere(
    db,
    favourites,
    { userId, characterId, createdAt: now },
    sql`${exists(open)} and ${room}`,
  )
    .onConflictDoNothing()
    .returning({ id: favourites.characterId });
  if (added.length > 0) return 'kept';
  const [isOpen, isKept] = await Promise.all([open.get(), isFavourite(db, which)]);
  if (isOpen === undefined) return 'not_found';
  return isKept ? 'kept' : 'favourite_limit';
}

/** Lets a character go; harmless where it was not kept. */
export async function removeFavourite(db: Database, which: Favourite): Promise<void> {
  await db.delete(favourites).where(thisOne(which));
}

/** Somebody's favourites that open for them now, what they kept last first. */
export async function favouriteCharacters(
  db: Database,
  {
    userId,
    viewer,
    cursor,
    limit,
  }: { userId: string; viewer: Viewer; cursor?: string | undefined; limit: number },
): Promise<CharacterList> {
  const after = readCursor(cursor);
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
        after === null
          ? undefined
          : or(lt(createdAt, after.value), and(eq(createdAt, after.value), lt(characterId, after.id))),
        eq(characters.id, characterId),
        eq(users.id, characters.creatorId),
        opens(viewer),
      ),
    )
    .orderBy(desc(createdAt), desc(characterId))
    .limit(limit + 1);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(toCard),
    next_cursor:
      rows.length > limit && last !== undefined ? writeCursor({ value: last.keptAt, id: last.id }) : null,
  };
}
