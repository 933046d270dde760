import { and, desc, eq, inArray } from 'drizzle-orm';
import { characterListings } from '../../../db/schema/character.ts';
import type { Database } from '../../../db/open.ts';
import { characters, users } from '../../../db/schema/core.ts';
import { cardColumns, isListedFor, toCard, type Viewer } from '../character-store.ts';
import type { CharacterCard } from '../contract.ts';
import { LISTINGS } from '../limits.ts';

/**
 * Finds similar characters: of the most popular ones of each of its tags, those that share most tags, never the
 * character itself. None for a character without tags.
 * @returns most similar first, at most `limit`
 */
export async function findSimilarCharacters(
  db: Database,
  { id, tags }: Pick<CharacterCard, 'id' | 'tags'>,
  viewer: Viewer,
  limit: number,
): Promise<CharacterCard[]> {
  const { tag, nsfw, chatCount, characterId } = characterListings;
  const sides = viewer.spicy ? [false, true] : [false];
  const lists = tags.flatMap((name) =>
    sides.map((adult) =>
      db
        .select({ id: characterId, chats: chatCount })
        .from(characterListings)
        .where(and(eq(tag, name), eq(nsfw, adult)))
        .orderBy(desc(chatCount), desc(characterId))
        .limit(LISTINGS.similarCandidatesPerTag),
    ),
  );
  const [first, ...others] = lists;
  if (first === undefined) return [];
  const found = (await db.batch([first, ...others])).flat().filter((row) => row.id !== id);
  const near = [...Map.groupBy(found, (row) => row.id)].map(([nearId, rows]) => ({
    id: nearId,
    shared: rows.length,
    chats: rows[0]?.chats ?? 0,
  }));
  const ids = near
    .toSorted((a, b) => b.shared - a.shared || b.chats - a.chats || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
    .map((row) => row.id);
  if (ids.length === 0) return [];
  const rows = await db
    .select(cardColumns)
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .where(and(inArray(characters.id, ids), isListedFor(viewer)));
  return rows.map(toCard).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
