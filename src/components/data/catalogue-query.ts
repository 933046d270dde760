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

/** Cards per page of the catalogue; fills whole rows of two, three, four or six. */
export const CARDS_PER_PAGE = 24;

/** Whether a cursor is in canonical form. Any other cursor shows the first page. */
export function isCanonicalCursor(text: string, { trending = false } = {}): boolean {
  if (trending) {
    const cursor = parseTrendingCursor(text);
    return cursor !== null && formatTrendingCursor(cursor) === text;
  }
  const cursor = decodeCursor(text);
  return cursor !== null && encodeCursor(cursor) === text;
}

/**
 * Parses the catalogue's address. Unlike an API, it ignores invalid parameters, because people edit
 * addresses and follow old links.
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

/** The catalogue's address for a query, without default values, so that every list has one address. */
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
 * Whether a catalogue page is excluded from search engines: searches are unlimited in number, and later pages of a list
 * change daily. The sort order is covered by the canonical address.
 */
export const isUnindexed = ({ q, cursor }: ListCharactersQuery): boolean =>
  q !== undefined || cursor !== undefined;

/**
 * Cache policy of a catalogue page, for `cachePublicly`. Searches are not cached: they are personal, rarely
 * repeated, and would fill the cache. Pages after the end of a list or with a made-up cursor are not cached,
 * because their number is unlimited.
 * @param list null if it could not be read
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
    data: list,
    tags: (list?.items ?? []).map(({ id }) => getCharacterTag(id)),
  };
}

/** The tag with this name, or null. */
export function findTagByName(name: string | undefined): Tag | null {
  return TAGS.find((tag) => tag === name) ?? null;
}
