import { TAGS, type Tag } from '../../features/character/limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { readCursor, writeCursor } from '../../db/cursor.ts';
import {
  type CharacterList,
  characterSort,
  listCharactersQuery,
  type ListCharactersQuery,
} from '../../features/character/contract.ts';
import { characterTag } from '../../features/page-cache/page-tags.ts';
import { trendingCursor, writeTrendingCursor } from '../../features/character/discovery/trending.ts';

/** Cards on one page of the catalogue: whole rows in grids of two, three, four and six. */
export const CARDS_A_PAGE = 24;

/** Whether a cursor is written as a list itself would write it; the beginning comes for any other. */
export function isPlace(text: string, { trending = false } = {}): boolean {
  if (trending) {
    const cursor = trendingCursor(text);
    return cursor !== null && writeTrendingCursor(cursor) === text;
  }
  const cursor = readCursor(text);
  return cursor !== null && writeCursor(cursor) === text;
}

/**
 * Reads the catalogue's address. A page is not an API: what it does not understand it leaves out instead of
 * refusing, because people edit addresses and follow old links.
 */
export function catalogueQuery(search: URLSearchParams, tag: Tag | null): ListCharactersQuery {
  const sort = characterSort.safeParse(search.get('sort'));
  const q = search.get('q')?.trim().slice(0, TEXT_LIMITS.searchQuery);
  const cursor = search.get('cursor');
  return listCharactersQuery.parse({
    limit: CARDS_A_PAGE,
    ...(tag ? { tag } : {}),
    ...(q ? { q } : {}),
    ...(sort.success ? { sort: sort.data } : {}),
    ...(cursor && cursor.length <= 200 ? { cursor } : {}),
  });
}

/** The catalogue's address for a query; defaults are left out, so that every list has one address. */
export function catalogueHref(
  path: string,
  { q, sort, cursor }: { q?: string | undefined; sort?: string | undefined; cursor?: string | undefined },
): string {
  const search = new URLSearchParams();
  if (q) search.set('q', q);
  if (sort && sort !== 'popular') search.set('sort', sort);
  if (cursor) search.set('cursor', cursor);
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Whether a page of the catalogue is of a moment, and stays out of search engines: a search, of which there is no end, or
 * a place in the middle of a list, where somebody else stands tomorrow. The orders of a list are named by their list.
 */
export const isOfMoment = ({ q, cursor }: ListCharactersQuery): boolean =>
  q !== undefined || cursor !== undefined;

/**
 * How a page of the catalogue is given to shared caches, for `sharePage`. A search is not: its words are one person's,
 * hardly ever asked for twice, and would fill a cache. Nor is a page behind the list's end or at no place of it, of which
 * anybody can make up any number.
 * @param list null when it could not be read
 */
export function shareCatalogue(path: string, query: ListCharactersQuery, list: CharacterList | null) {
  const { q, cursor, sort } = query;
  const isThere = (list?.items.length ?? 0) > 0;
  return {
    kind: 'list' as const,
    here: catalogueHref(path, query),
    whole:
      list !== null && !q && (!cursor || (isThere && isPlace(cursor, { trending: sort === 'trending' }))),
    tags: (list?.items ?? []).map(({ id }) => characterTag(id)),
  };
}

/** The tag that an address names, or null when there is none of that name. */
export function knownTag(name: string | undefined): Tag | null {
  return TAGS.find((tag) => tag === name) ?? null;
}
