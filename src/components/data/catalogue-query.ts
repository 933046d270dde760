import { FREE_TAGS, TAGS, type Tag } from '../../features/character/limits.ts';
import { isFreeTag, normalizeFreeTag } from '../../features/character/free-tags.ts';
import type { FreeTagRules } from '../../features/character/free-tag-rules.ts';
import { hasIndexFilters } from '../../features/character/discovery/list-filters.ts';
import { parseLanguage } from '../../locales/detect.ts';
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
export function parseCatalogueQuery(
  search: URLSearchParams,
  tag: Tag | null,
  rules: FreeTagRules = NO_RULES,
): ListCharactersQuery {
  const sort = characterSort.safeParse(search.get('sort'));
  const q = search.get('q')?.trim().slice(0, TEXT_LIMITS.searchQuery);
  const cursor = search.get('cursor');
  const language = parseLanguage(search.get('language'));
  const [include, exclude] = [search.get('include'), search.get('exclude')].map((tags) =>
    parseFilterTags(tags ?? '', rules),
  );
  return listCharactersQuery.parse({
    limit: CARDS_PER_PAGE,
    ...(tag ? { tag } : {}),
    ...(q ? { q } : {}),
    ...(language ? { language } : {}),
    ...(include ? { include } : {}),
    ...(exclude ? { exclude } : {}),
    ...(sort.success ? { sort: sort.data } : {}),
    ...(cursor && cursor.length <= 200 ? { cursor } : {}),
  });
}

const NO_RULES: FreeTagRules = { blocked: new Set(), merges: new Map() };

/** Reads the tags of a filter as the query has them, in alphabetical order, so that a list has one address. */
function parseFilterTags(text: string, { blocked, merges }: FreeTagRules): string {
  const tags = text
    .split(',')
    .map(normalizeFreeTag)
    .map((tag) => merges.get(tag) ?? tag)
    .filter((tag) => isFreeTag(tag) && !blocked.has(tag));
  return [...new Set(tags)].toSorted().slice(0, FREE_TAGS.maxFilterTags).join(',');
}

type CatalogueAddress = {
  [Name in 'q' | 'language' | 'sort' | 'cursor']?: string | undefined;
} & { [Name in 'include' | 'exclude']?: readonly string[] | undefined };

/** The catalogue's address for a query, without default values, so that every list has one address. */
export function buildCatalogueHref(
  path: string,
  { q, language, include = [], exclude = [], sort, cursor }: CatalogueAddress,
): string {
  const search = new URLSearchParams();
  if (q) search.set('q', q);
  if (language) search.set('language', language);
  if (include.length > 0) search.set('include', include.toSorted().join(','));
  if (exclude.length > 0) search.set('exclude', exclude.toSorted().join(','));
  if (sort && sort !== 'popular') search.set('sort', sort);
  if (cursor) search.set('cursor', cursor);
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Whether a catalogue page is excluded from search engines: searches are unlimited in number, and later pages of a list
 * change daily. The sort order is covered by the canonical address.
 */
export const isUnindexed = ({ q, cursor, ...filters }: ListCharactersQuery): boolean =>
  q !== undefined || cursor !== undefined || hasIndexFilters(filters);

/**
 * Cache policy of a catalogue page, for `cachePublicly`. Searches are not cached: they are personal, rarely
 * repeated, and would fill the cache. Pages after the end of a list or with a made-up cursor are not cached,
 * because their number is unlimited; nor are further pages of the popular list and of lists with filters, which are read from the
 * search index, where a made-up cursor starts from the beginning. Of the filters, a language and one of the listed tags are cached.
 * @param list null if it could not be read
 * @param freeTags the listed free tags
 */
export function getCatalogueCachePolicy(
  path: string,
  query: ListCharactersQuery,
  list: CharacterList | null,
  freeTags: readonly string[] | null,
) {
  const { q, cursor, sort, include = [], exclude = [] } = query;
  const isBounded =
    !q && exclude.length === 0 && include.length <= 1 && include.every((tag) => freeTags?.includes(tag));
  const hasItems = (list?.items.length ?? 0) > 0;
  return {
    kind: 'list' as const,
    here: buildCatalogueHref(path, query),
    whole:
      list !== null &&
      freeTags !== null &&
      isBounded &&
      (!cursor ||
        (sort !== 'popular' &&
          !hasIndexFilters(query) &&
          hasItems &&
          isCanonicalCursor(cursor, { trending: sort === 'trending' }))),
    data: [list, freeTags],
    tags: (list?.items ?? []).map(({ id }) => getCharacterTag(id)),
  };
}

/** The tag with this name, or null. */
export function findTagByName(name: string | undefined): Tag | null {
  return TAGS.find((tag) => tag === name) ?? null;
}
