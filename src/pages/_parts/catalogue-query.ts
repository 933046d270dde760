import { TAGS, TEXT_LIMITS, type Tag } from '../../config.ts';
import {
  characterSort,
  listCharactersQuery,
  type ListCharactersQuery,
} from '../../features/character/contract.ts';

/** Cards on one page of the catalogue: whole rows in grids of two, three, four and six. */
export const CARDS_A_PAGE = 24;

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

/** The tag that an address names, or null when there is none of that name. */
export function knownTag(name: string | undefined): Tag | null {
  return TAGS.find((tag) => tag === name) ?? null;
}
