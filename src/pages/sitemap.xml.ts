import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { openDatabase } from '../db/open.ts';
import { getSitemapParts } from '../features/character/discovery/sitemap-store.ts';
import { LIST_TAG } from '../features/page-cache/page-tags.ts';
import { cachePublicly } from '../layouts/cacheable-page.ts';
import { loadOptional } from '../components/data/load-optional.ts';
import { renderSitemapIndex } from '../components/data/sitemap.ts';
import { createSitemapResponse } from '../components/data/sitemap-response.ts';

/**
 * The index of sitemaps, per language and per part of the catalogue; lists only the former if the
 * catalogue cannot be read.
 */
export async function GET(page: APIContext): Promise<Response> {
  const { url } = page;
  const parts = await loadOptional(() => getSitemapParts(openDatabase(env.DB), env.KV));
  cachePublicly(page, { kind: 'file', here: '/sitemap.xml', whole: parts !== null, tags: [LIST_TAG] });
  return createSitemapResponse(renderSitemapIndex(url.origin, parts ?? []), { whole: parts !== null });
}
