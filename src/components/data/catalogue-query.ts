import { TAGS, type Tag } from '../../features/character/limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { decodeCursor, encodeCursor } from '../../db/cursor.ts';
import {
  type CharacterList,
  characterSort,
  listCharactersQuery,
  type ListCharactersQuery,
} from '../../features/character/contract.ts';
import { getCharacterTag } from '../../features/page-cache/page-tags.ts';
import { parseTrendingCursor, formatTrendingCursor } from '../../features/character/discovery/trending.ts';

/** Cards on one page of the catalogue: whole rows in grids of two, three, four and six. */
export const CARDS_PER_PAGE = 24;

/** Whether a cursor is written as a list itself would write it; the beginning comes for any other. */
export function isCanonicalCursor(text: string, { trending = false } = {}): boolean {
  if (trending) {
    const cursor = parseTrendingCursor(text);
    return cursor !== null && formatTrendingCursor(cursor) === text;
  }
  const cursor = decodeCursor(text);
  return cursor !== null && encodeCursor(cursor) === text;
}

/**
 * Reads the catalogue's address. A page is not an API: what it does not understand it leaves out instead of
 * refusing, because people edit addresses and follow old links.
 */
export function parseCatalogueQuery(search: URLSearchParams, tag: Tag | null): ListCharactersQuery {
  const sort = characterSort.safeParse(search.get('sort'));
  const q = search.get('q')?.trim().slice(0, TEXT_LIMITS.searchQuery);
  const cursor = search.get('cursor');
  return listCharactersQuery.parse({
    limit: CARDS_PER_PAGE,
    ...(tag ? { tag } : {}),
    ...(q ? { q } : {}),
    ...(sort.success ? { sort: sort.data } : {}),
    ...(cursor && cursor.length <= 200 ? { cursor } : {}),
  });
}

/** The catalogue's address for a query; defaults are left out, so that every list has one address. */
export function buildCatalogueHref(
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
export const isUnindexed = ({ q, cursor }: ListCharactersQuery): boolean =>
  q !== undefined || cursor !== undefined;

/**
 * How a page of the catalogue is given to shared caches, for `cachePublicly`. A search is not: its words are one person's,
 * hardly ever asked for twice, and would fill a cache. Nor is a page behind the list's end or at no place of it, of which
 * anybody can make up any number.
 * @param list null when it could not be read
 */
export function getCatalogueCachePolicy(
  path: string,
  query: ListCharactersQuery,
  list: CharacterList | null,
) {
  const { q, cursor, sort } = query;
  const hasItems = (list?.items.length ?? 0) > 0;
  return {
    kind: 'list' as const,
    here: buildCatalogueHref(path, query),
    whole:
      list !== null &&
      !q &&
      (!cursor || (hasItems && isCanonicalCursor(cursor, { trending: sort === 'trending' }))),
    tags: (list?.items ?? []).map(({ id }) => getCharacterTag(id)),
  };
}

/** The tag that an address names, or null when there is none of that name. */
export function findTagByName(name: string | undefined): Tag | null {
  return TAGS.find((tag) => tag === name) ?? null;
}
