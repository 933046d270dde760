import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import type { Database } from '../../db/open.ts';
import { characterVersions, favourites, follows } from '../../db/schema/character.ts';
import { characters, users } from '../../db/schema/core.ts';
import { cardColumns, isListedFor, isVisibleTo, toCard, type Viewer } from './character-store.ts';
import type { NewsItem } from './contract.ts';
import { NEWS } from './limits.ts';

/**
 * Lists what is new about a user's favourites and followed creators: of each followed creator the newest character, and
 * favourites that someone else changed after they were added. Each follow and each favourite takes a few reads by index,
 * however many characters there are.
 * @param now milliseconds since the epoch
 */
export async function listNews(
  db: Database,
  { userId, viewer, now }: { userId: string; viewer: Viewer; now: number },
): Promise<NewsItem[]> {
  const since = now - NEWS.maxAgeMs;
  const newest = db
    .select({ id: characters.id })
    .from(characters)
    .where(and(sql`${characters.creatorId} = ${follows.creatorId}`, isListedFor(viewer)))
    .orderBy(desc(characters.createdAt), desc(characters.id))
    .limit(1);
  // Cross joins fix the join order: a user's own rows are few.
  const created = db
    .select({
      ...cardColumns,
      at: sql<number>`${characters.createdAt}`.as('at'),
      kind: sql<NewsItem['kind']>`'new_character'`.as('kind'),
    })
    .from(follows)
    .crossJoin(characters)
    .crossJoin(users)
    .where(
      and(
        eq(follows.userId, userId),
        sql`${characters.id} = (${newest})`,
        gt(characters.createdAt, since),
        eq(users.id, characters.creatorId),
      ),
    );
  const changed = db
    .select({
      ...cardColumns,
      at: sql<number>`${characterVersions.createdAt}`.as('at'),
      kind: sql<NewsItem['kind']>`'changed_favourite'`.as('kind'),
    })
    .from(favourites)
    .crossJoin(characters)
    .crossJoin(characterVersions)
    .crossJoin(users)
    .where(
      and(
        eq(favourites.userId, userId),
        eq(characters.id, favourites.characterId),
        ne(characters.creatorId, userId),
        isVisibleTo(viewer),
        eq(characterVersions.characterId, characters.id),
        eq(characterVersions.version, characters.version),
        gt(characters.version, 1),
        sql`${characterVersions.createdAt} > max(${favourites.createdAt}, ${since})`,
        eq(users.id, characters.creatorId),
      ),
    );
  const rows = await unionAll(created, changed)
    .orderBy(sql`at desc`)
    .limit(NEWS.maxItems);
  return rows.map((row) => ({ kind: row.kind, at: new Date(row.at).toISOString(), character: toCard(row) }));
}
