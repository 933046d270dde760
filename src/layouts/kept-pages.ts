import { memoizeLru } from '../lib/memoize-lru.ts';

/** About 50 kB each, with its data. */
const MAX_PAGES_KEPT = 60;

/** Where an isolate keeps the page of an address. */
export interface PagePlace {
  /** Null until the page is rendered. */
  page: { body: ArrayBuffer; headers: [string, string][]; data: string } | null;
}

/**
 * Returns the place of a page.
 * @param key the language and the address with its origin, on which links and cache headers depend
 */
export const getPagePlace = memoizeLru<PagePlace>(MAX_PAGES_KEPT, () => ({ page: null }));

/**
 * Returns the page as it was rendered from the same data, or undefined. The page must depend on nothing else that
 * changes while an isolate lives.
 * @param data everything that the page shows, as text; empty for a page without data
 */
export function findKeptPage({ page }: PagePlace, data: string): Response | undefined {
  return page?.data === data ? new Response(page.body, { headers: page.headers }) : undefined;
}

/** Keeps a rendered page if it is complete and has no cookie. @returns the same response, with its body unread */
export async function keepPage(place: PagePlace, data: string, response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.has('set-cookie')) return response;
  const body = await response.arrayBuffer();
  place.page = { body, headers: [...response.headers], data };
  return new Response(body, response);
}
