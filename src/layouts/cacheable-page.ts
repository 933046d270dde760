import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { SHARED_PAGES } from '../features/page-cache/limits.ts';
import { findKeptPage, getPagePlace } from './kept-pages.ts';
import { readEnvironment } from '../env/read-environment.ts';

type CacheableKind = keyof typeof SHARED_PAGES;

/**
 * Allows shared caches to store a page, and sets its lifetime and its tags for purging. Call it after everything that
 * the page shows has been read. The page stays private if
 * - it was requested by another address than `here`: with `?spicy` or `?own`, with a language or an unknown
 *   parameter, or at another host than the operator's site. Caches identify a page by path and query alone, and the
 *   page contains its own host in many places;
 * - its status is not 200, or `whole` says that something could not be read.
 *
 * `applyCachePolicy` (lib/cache-control.ts) makes the final decision.
 *
 * Pages that read the database pass what they read as `data`, also what is not part of `tags`: an isolate keeps the latest
 * pages, and returns one as it was rendered before as long as its data is the same. Because the data is read each time, a
 * kept page is never older than a rendered one.
 *
 * @param here path and query of the page's canonical address
 * @param tags what the page shows, from features/page-cache/page-tags.ts; its kind is added as a tag
 * @param data everything that the page shows and that may change while an isolate lives
 * @returns the page as it was rendered from the same data; undefined if it has to be rendered
 */
export function cachePublicly(
  page: Pick<APIContext, 'url' | 'cache' | 'request' | 'locals'> & { response?: { status?: number } },
  {
    kind,
    here,
    whole,
    tags = [],
    data,
  }: { kind: CacheableKind; here: string; whole: boolean; tags?: readonly string[]; data?: unknown },
): Response | undefined {
  const { url, cache, request, response, locals } = page;
  const { siteUrl } = readEnvironment(env);
  if (!whole || (response?.status ?? 200) !== 200) return undefined;
  if (url.origin !== siteUrl || url.pathname + url.search !== here) return undefined;
  cache.set({ ...SHARED_PAGES[kind], tags: [kind, ...tags] });
  if (data === undefined || request.method !== 'GET') return undefined;
  const text = JSON.stringify(data);
  const place = getPagePlace(`${locals.lang} ${url.href}`);
  const kept = findKeptPage(place, text);
  if (kept === undefined) locals.kept = { place, data: text };
  return kept;
}
