import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { SHARED_PAGES } from '../features/page-cache/limits.ts';
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
 * @param here path and query of the page's canonical address
 * @param tags what the page shows, from features/page-cache/page-tags.ts; its kind is added as a tag
 */
export function cachePublicly(
  page: Pick<APIContext, 'url' | 'cache'> & { response?: { status?: number } },
  {
    kind,
    here,
    whole,
    tags = [],
  }: { kind: CacheableKind; here: string; whole: boolean; tags?: readonly string[] },
): void {
  const { url, cache, response } = page;
  const { siteUrl } = readEnvironment(env);
  if (!whole || (response?.status ?? 200) !== 200) return;
  if (url.origin !== siteUrl || url.pathname + url.search !== here) return;
  cache.set({ ...SHARED_PAGES[kind], tags: [kind, ...tags] });
}
