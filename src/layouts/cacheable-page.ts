import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { SHARED_PAGES } from '../features/page-cache/limits.ts';
import { readEnvironment } from '../env/read-environment.ts';

type CacheableKind = keyof typeof SHARED_PAGES;

/**
 * Gives a page to shared caches: it says how long they keep it and by which names they are told to forget it. Called
 * once everything that the page shows was read. It stays private where
 * - it was asked for by another address than `here`: one with `?spicy` or `?own`, with a language or a stranger's
 *   parameter in it, or at another host than the operator's site. Caches know a page by path and query alone, and it
 *   names its own host in many places;
 * - it is no 200, or `whole` says that something of it could not be read.
 * The front door (shared-answer.ts) has the last word.
 *
 * @param here path and query of the one right form of the page's address
 * @param tags what the page shows, by `features/character/page-tags.ts`; its kind is a tag as well
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
