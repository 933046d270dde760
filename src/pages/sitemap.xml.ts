import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { openDatabase } from '../db/open.ts';
import { sitemapParts } from '../features/character/discovery/sitemap-store.ts';
import { LIST_TAG } from '../features/page-cache/page-tags.ts';
import { sharePage } from '../layouts/cacheable-page.ts';
import { attempt } from '../components/data/load-optional.ts';
import { sitemapIndexOf } from '../components/data/sitemap.ts';
import { sitemapAnswer } from '../components/data/sitemap-response.ts';

/** Where the sitemaps are: of each language, and of each part of the catalogue. Without that one it is shorter. */
export async function GET(page: APIContext): Promise<Response> {
  const { url } = page;
  const parts = await attempt(() => sitemapParts(openDatabase(env.DB), env.KV));
  sharePage(page, { kind: 'file', here: '/sitemap.xml', whole: parts !== null, tags: [LIST_TAG] });
  return sitemapAnswer(sitemapIndexOf(url.origin, parts ?? []), { whole: parts !== null });
}
