import { and, eq, type SQL, sql } from 'drizzle-orm';
import { buildPage, decodeCursor, encodeCursor } from '../../../db/cursor.ts';
import { characterWords } from '../../../db/schema/character.ts';
import type { Database } from '../../../db/open.ts';
import { characterFreeTags, characters, characterTags, users } from '../../../db/schema/core.ts';
import { cardColumns, isListedFor, toCard, type Viewer } from '../character-store.ts';
import type { CharacterCard, CharacterList, ListCharactersQuery } from '../contract.ts';
import {
  applyFilters,
  EVERY_CHARACTER,
  getLanguageTerm,
  hasIndexFilters,
  isTag,
  type ListFilters,
} from './list-filters.ts';
import { buildCorrectedSearch, listTypedWords, parseSearch } from './search.ts';
import { findMeantWords } from './search-words-store.ts';
import { LISTINGS } from '../limits.ts';
import { readTrending, parseTrendingCursor, formatTrendingCursor, type TrendingList } from './trending.ts';

/*
 * The public lists. Each page is one statement that reads a fixed number of rows, however many characters there are
 * (docs/discovery.md has the figures). Each list is an index in the list's own order, which keeps characters for adults
 * apart. A viewer who sees both gets two such reads, merged.
 */

/**
 * Row ids of characters for adults in the search index start here, and keep the same order above it (migration 0006).
 */
const ADULT_ROWID_OFFSET = 2 ** 52;

/** An integer as SQL: D1 binds numbers as floats, with which the search index cannot seek. */
const toIntegerSql = (value: number): SQL => sql.raw(String(Math.trunc(value)));

/**
 * Returns a page of the public catalogue: popular, most liked, newest or trending; with `q`, by relevance and then popularity, or
 * the newest matches. An invalid cursor starts from the beginning.
 * A list with filters is read from the search index, whose order of popularity is that of searches.
 * @param kv has the trending lists; without it or them, «trending» returns the popular ones
 * @param firstLanguage its characters come first in the popular list
 */
export async function listCharacters(
  db: Database,
  query: ListCharactersQuery,
  viewer: Viewer,
  kv: KVNamespace | null = null,
  firstLanguage: string | null = null,
): Promise<CharacterList> {
  if (query.q !== undefined && query.q !== '') {
    const search = parseSearch(query.q);
    if (search === null) return { items: [], next_cursor: null };
    const steps = query.sort === 'new' ? [search.whole] : search.steps;
    const found = await searchCharacters(db, query, steps, viewer);
    if (found.items.length > 0 || query.cursor !== undefined) return found;
    return (await searchSimilarWords(db, query, query.q, viewer)) ?? found;
  }
  if (query.sort === 'trending') return listTrendingCharacters(db, query, viewer, kv);
  if (query.sort === 'liked' && hasIndexFilters(query)) return listMostLikedMatches(db, query, viewer);
  if (hasIndexFilters(query)) return searchCharacters(db, query, [EVERY_CHARACTER], viewer);
  if (query.sort === 'popular' && firstLanguage !== null) {
    const first = getLanguageTerm(firstLanguage);
    return searchCharacters(db, query, [first, `${EVERY_CHARACTER} NOT ${first}`], viewer);
  }
  return listOrderedCharacters(db, query, viewer);
}

type ListOrder = Pick<ListCharactersQuery, 'tag' | 'cursor' | 'limit'> & {
  sort: 'popular' | 'liked' | 'new';
};

/** The column of `character_listings` by which a list is ordered. */
const ORDER_COLUMNS = {
  popular: 'chat_count',
  liked: 'like_count',
  new: 'created_at',
  trending: 'chat_count',
} as const;

/** A position in a list: a count or a time, then the id. */
interface ListPosition {
  id: string;
  value: number;
}

/** Selects the next positions of the popular, most liked or newest list from its index, reading one row for each. */
function selectPositions(query: ListOrder | ListCharactersQuery, viewer: Viewer, count: number): SQL {
  const column = sql.raw(ORDER_COLUMNS[query.sort]);
  const after = decodeCursor(query.cursor);
  const side = (nsfw: 0 | 1) => sql`select character_id as id, ${column} as value from character_listings
    where tag = ${query.tag ?? ''} and nsfw = ${toIntegerSql(nsfw)}
    ${after === null ? sql`` : sql`and (${column}, character_id) < (${after.value}, ${after.id})`}
    order by ${column} desc, character_id desc limit ${toIntegerSql(count)}`;
  if (!viewer.spicy) return side(0);
  return sql`select * from (${side(0)}) union all select * from (${side(1)}) order by value desc, id desc limit ${toIntegerSql(count)}`;
}

/** Returns a page of the popular, most liked or newest list. */
async function listOrderedCharacters(
  db: Database,
  query: ListOrder | ListCharactersQuery,
  viewer: Viewer,
): Promise<CharacterList> {
  const rows = await db
    .select({ ...cardColumns, value: sql<number>`page.value` })
    .from(sql`(${selectPositions(query, viewer, query.limit + 1)}) as page`)
    .crossJoin(characters)
    .crossJoin(users)
    .where(and(sql`${characters.id} = page.id`, eq(users.id, characters.creatorId), isListedFor(viewer)))
    .orderBy(sql`page.value desc, page.id desc`);
  return buildPage(rows, query.limit, { place: ({ value, id }) => ({ value, id }), item: toCard });
}

/** Selects the places in the search index of the most popular characters that an expression for FTS5's MATCH finds. */
export function selectPopularPlaces(match: string, viewer: Viewer, count: number): SQL {
  const limit = toIntegerSql(count);
  const side = (first: number) => sql`select rowid as place, rowid - ${toIntegerSql(first)} as nearness
    from character_search where character_search match ${match}
    and rowid >= ${toIntegerSql(first)} and rowid < ${toIntegerSql(first + ADULT_ROWID_OFFSET)} order by rowid limit ${limit}`;
  return viewer.spicy
    ? sql`select * from (${side(0)}) union all select * from (${side(ADULT_ROWID_OFFSET)}) order by nearness limit ${limit}`
    : side(0);
}

/** Returns a page of the most popular characters that the filters leave, the most liked of them first. */
async function listMostLikedMatches(
  db: Database,
  query: ListCharactersQuery,
  viewer: Viewer,
): Promise<CharacterList> {
  const hits = selectPopularPlaces(applyFilters(EVERY_CHARACTER, query), viewer, LISTINGS.likedMatches);
  const after = decodeCursor(query.cursor);
  const places = await db.all<ListPosition>(sql`select c.id, c.like_count as value from (${hits}) as hits
    cross join character_words w cross join characters c where w.popular_row_id = hits.place and c.id = w.character_id
    ${after === null ? sql`` : sql`and (c.like_count, c.id) < (${after.value}, ${after.id})`}
    order by value desc, c.id desc limit ${toIntegerSql(query.limit + 1)}`);
  const ids = places.slice(0, query.limit).map(({ id }) => id);
  const last = places.length > query.limit ? places[query.limit - 1] : undefined;
  return {
    items: await listFirstVisible(db, ids, { limit: query.limit }, viewer),
    next_cursor: last === undefined ? null : encodeCursor(last),
  };
}

/**
 * Returns the next popular characters that are not in a list. Reads positions only: twice a page, doubled as long as
 * most of them are in the list; at most somewhat more than the length of the list.
 * @param wanted how many; 0 only checks whether there are any
 * @returns `isMore`: whether another one follows
 */
async function listPopularExcept(
  db: Database,
  query: ListOrder,
  viewer: Viewer,
  { list, wanted }: { list: ReadonlySet<string>; wanted: number },
): Promise<{ places: ListPosition[]; isMore: boolean }> {
  const places: ListPosition[] = [];
  let { cursor } = query;
  for (let size = 2 * (query.limit + 1); places.length <= wanted; size *= 2) {
    const read = await db.all<ListPosition>(selectPositions({ ...query, cursor }, viewer, size));
    places.push(...read.filter(({ id }) => !list.has(id)));
    const last = read.at(-1);
    if (read.length < size || last === undefined) break;
    cursor = encodeCursor(last);
  }
  return { places: places.slice(0, wanted), isMore: places.length > wanted };
}

/**
 * Returns a page of the search index.
 * @param steps expressions for FTS5's MATCH, from most to least relevant; no character matches two of them
 */
async function searchCharacters(
  db: Database,
  query: ListCharactersQuery,
  steps: readonly string[],
  viewer: Viewer,
): Promise<CharacterList> {
  const byNewest = query.sort === 'new';
  const index = sql.raw(byNewest ? 'character_search_new' : 'character_search');
  const place = byNewest ? characterWords.newRowId : characterWords.popularRowId;
  const after = readSearchCursor(query.cursor, steps.length);
  const count = toIntegerSql(query.limit + 1);
  // The position within its own side of the index; -1 for a character that is not in the viewer's lists.
  const lastPlace = sql`coalesce((select ${place} % ${toIntegerSql(ADULT_ROWID_OFFSET)} from ${characterWords}
    where ${characterWords.characterId} = ${after.id} and ${place} < ${toIntegerSql(viewer.spicy ? 2 * ADULT_ROWID_OFFSET : ADULT_ROWID_OFFSET)}), -1)`;

  const side = (step: number, expression: string, first: number) => {
    const from = sql`${step === after.step && after.id !== null ? lastPlace : sql`-1`} + ${toIntegerSql(first)}`;
    const match = applyFilters(expression, query);
    return sql`select ${toIntegerSql(step)} as step, rowid as place, rowid - ${toIntegerSql(first)} as nearness from ${index} where ${index} match ${match}
      and rowid > ${from} and rowid < ${toIntegerSql(first + ADULT_ROWID_OFFSET)} order by rowid limit ${count}`;
  };
  const parts = steps.flatMap((expression, step) => {
    if (step < after.step) return [];
    const general = side(step, expression, 0);
    if (!viewer.spicy) return [sql`select * from (${general})`];
    const adult = side(step, expression, ADULT_ROWID_OFFSET);
    return [
      sql`select * from (select * from (${general}) union all select * from (${adult}) order by nearness limit ${count})`,
    ];
  });
  // Read in sequence until the page is full: less relevant steps are only searched if the earlier ones find few.
  const hits = sql`${sql.join(parts, sql` union all `)} limit ${count}`;
  const rows = await db
    .select({ ...cardColumns, step: sql<number>`hits.step`, nearness: sql<number>`hits.nearness` })
    .from(sql`(${hits}) as hits`)
    .crossJoin(characterWords)
    .crossJoin(characters)
    .crossJoin(users)
    .where(
      and(
        sql`${place} = hits.place`,
        eq(characters.id, characterWords.characterId),
        eq(users.id, characters.creatorId),
        isListedFor(viewer),
      ),
    );
  const sorted = rows.toSorted((a, b) => a.step - b.step || a.nearness - b.nearness);
  return buildPage(sorted, query.limit, { place: ({ step, id }) => ({ value: step, id }), item: toCard });
}

/**
 * Reads where a page of search results ended: the step and the character. The character's position is looked up,
 * because the cursor would otherwise reveal a position among all characters, including hidden ones. If the character
 * has left the lists, its step starts over.
 * @param steps the number of steps; an invalid cursor, or one beyond the last step, is the beginning
 */
function readSearchCursor(text: string | undefined, steps: number): { step: number; id: string | null } {
  const cursor = decodeCursor(text);
  return cursor !== null && cursor.value < steps
    ? { step: cursor.value, id: cursor.id }
    : { step: 0, id: null };
}

/** Searches for words that are spelled nearly like the typed ones; null when there are none, or they are not found either. */
async function searchSimilarWords(
  db: Database,
  query: ListCharactersQuery,
  typed: string,
  viewer: Viewer,
): Promise<CharacterList | null> {
  const corrected = buildCorrectedSearch(typed, await findMeantWords(db, listTypedWords(typed)));
  if (corrected === null) return null;
  const { items } = await searchCharacters(db, query, [corrected], viewer);
  return items.length === 0 ? null : { items, next_cursor: null, similar: true };
}

/** Returns a page of the trending list, followed by popular characters that are not in it. */
async function listTrendingCharacters(
  db: Database,
  query: ListCharactersQuery,
  viewer: Viewer,
  kv: KVNamespace | null,
): Promise<CharacterList> {
  const lists = kv === null ? null : await readTrending(kv, { spicy: viewer.spicy, tag: query.tag ?? '' });
  const cursor = parseTrendingCursor(query.cursor);
  const list = findTrendingList(lists, cursor?.version);
  const items = await listFirstVisible(db, list.ids.slice(cursor?.offset ?? 0), query, viewer);
  const last = items.at(-1);
  const from =
    items.length < query.limit || last === undefined ? list.ids.length : list.ids.indexOf(last.id) + 1;
  if (from < list.ids.length)
    return { items, next_cursor: formatTrendingCursor({ ...list, offset: from, after: null }) };
  if (hasIndexFilters(query)) {
    // None of those that are trending: the popular ones instead.
    if (items.length === 0 && cursor === null) return searchCharacters(db, query, [EVERY_CHARACTER], viewer);
    return { items, next_cursor: null };
  }
  const after = cursor?.after ?? null;
  const { places, isMore } = await listPopularExcept(
    db,
    { sort: 'popular', tag: query.tag, cursor: after ?? undefined, limit: query.limit },
    viewer,
    { list: new Set(list.ids), wanted: query.limit - items.length },
  );
  const others = places.map(({ id }) => id);
  const rest = await listFirstVisible(db, others, { limit: others.length }, viewer);
  const end = places.at(-1);
  return {
    items: [...items, ...rest],
    next_cursor: isMore
      ? formatTrendingCursor({
          ...list,
          offset: list.ids.length,
          after: end === undefined ? after : encodeCursor(end),
        })
      : null,
  };
}

/** Condition that the selected character has a tag of either kind. */
function hasTag(tag: string): SQL {
  const table = isTag(tag) ? characterTags : characterFreeTags;
  return sql`exists (select 1 from ${table} where ${table.tag} = ${tag} and ${table.characterId} = ${characters.id})`;
}

/** Condition that the selected character is what the filters leave; undefined without filters. */
function matchesFilters({ tag, language, include = [], exclude = [] }: ListFilters): SQL | undefined {
  return and(
    tag === undefined ? undefined : hasTag(tag),
    language === undefined ? undefined : eq(characters.language, language),
    ...include.map(hasTag),
    ...exclude.map((one) => sql`not ${hasTag(one)}`),
  );
}

/**
 * Returns the first of the given characters that the viewer may see and that the filters leave, in their order. They are
 * read one by one until the page is full, so characters that were hidden or lost the tag since cost one read each.
 */
async function listFirstVisible(
  db: Database,
  ids: readonly string[],
  { limit, ...filters }: ListFilters & Pick<ListCharactersQuery, 'limit'>,
  viewer: Viewer,
): Promise<CharacterCard[]> {
  if (ids.length === 0) return [];
  // Cross joins without sorting: the database follows the list, and stops when the page is full.
  const rows = await db
    .select(cardColumns)
    .from(sql`json_each(${JSON.stringify(ids)}) as wanted`)
    .crossJoin(characters)
    .crossJoin(users)
    .where(
      and(
        sql`${characters.id} = wanted.value`,
        eq(users.id, characters.creatorId),
        isListedFor(viewer),
        matchesFilters(filters),
      ),
    )
    .limit(limit);
  return rows.map(toCard);
}

/** Returns the list that the reader started with if it is still known, otherwise the current one. */
function findTrendingList(
  lists: TrendingList | null,
  version: string | undefined,
): { version: string; ids: string[] } {
  const known = [lists, lists?.before].find((list) => list != null && list.version === version);
  return known ?? lists ?? { version: '0', ids: [] };
}
