import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import type { Language } from '../../config/languages.ts';
import { openDatabase } from '../../db/open.ts';
import {
  listSitemapCharacters,
  listSitemapCreators,
  getSitemapParts,
} from '../../features/character/discovery/sitemap-store.ts';
import { LIST_TAG } from '../../features/page-cache/page-tags.ts';
import { cachePublicly } from '../../layouts/cacheable-page.ts';
import { loadOptional } from '../../components/data/load-optional.ts';
import { listAllPosts, type Post } from '../../components/data/posts.ts';
import {
  listEntries,
  findPart,
  parseSitemapName,
  renderSitemap,
  getSitemapPath,
  SITEMAP_PAGES,
  type SitemapEntry,
  type SitemapFile,
  type SitemapPage,
} from '../../components/data/sitemap.ts';
import { createSitemapResponse } from '../../components/data/sitemap-response.ts';

/** One page per post, in the languages it is written in. */
function listPostPages(posts: readonly Post[]): SitemapPage[] {
  const bySlug = Map.groupBy(posts, ({ slug }) => slug);
  return [...bySlug].map(([slug, written]) => ({
    path: `/blog/${slug}`,
    languages: written.map(({ lang }) => lang),
    changed: new Date(Math.max(...written.map(({ published, updated }) => (updated ?? published).getTime()))),
  }));
}

async function listPageEntries(lang: Language): Promise<SitemapEntry[]> {
  return listEntries(lang, [...SITEMAP_PAGES, ...listPostPages(await listAllPosts())]);
}

/** The entries of a sitemap; undefined if the index does not list it. */
async function listSitemapEntries(file: SitemapFile): Promise<SitemapEntry[] | undefined> {
  if (file.kind === 'pages') return listPageEntries(file.lang);
  const db = openDatabase(env.DB);
  const part = findPart(file, await getSitemapParts(db, env.KV));
  if (part === undefined) return undefined;
  if (file.kind === 'creators') {
    const creators = await listSitemapCreators(db, part);
    return creators.map((id) => ({ path: `/creator/${encodeURIComponent(id)}` }));
  }
  const characters = await listSitemapCharacters(db, part);
  // Alternates would make the file twelve times as large; the pages list them themselves.
  return characters.map(({ id, updatedAt }) => ({
    path: `/${file.lang}/character-info/${encodeURIComponent(id)}`,
    changed: new Date(updatedAt),
  }));
}

/** The sitemap of a language's pages, or of a part of the catalogue's characters or creators. */
export async function GET(page: APIContext): Promise<Response> {
  const { params, url } = page;
  const file = parseSitemapName(params['file'] ?? '');
  if (file === null) return new Response(null, { status: 404 });
  const canonicalPath = getSitemapPath(file);
  // Each address costs a database read, so allow only the canonical one.
  if (url.search !== '') return page.redirect(canonicalPath, 302);
  const entries = await loadOptional(() => listSitemapEntries(file));
  if (entries === undefined) return new Response(null, { status: 404 });
  if (entries === null) return createSitemapResponse('', { whole: false, status: 503 });
  cachePublicly(page, { kind: 'file', here: canonicalPath, whole: true, tags: [LIST_TAG] });
  return createSitemapResponse(renderSitemap(url.origin, entries), { whole: true });
}
