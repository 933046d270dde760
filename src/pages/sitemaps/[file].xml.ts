import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { LANGUAGES, type Language } from '../../config/languages.ts';
import { TAGS } from '../../features/character/limits.ts';
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
  type SitemapEntry,
  type SitemapFile,
  type SitemapPage,
} from '../../components/data/sitemap.ts';
import { createSitemapResponse } from '../../components/data/sitemap-response.ts';

/** One page a post, in the languages that it is written in. */
function listPostPages(posts: readonly Post[]): SitemapPage[] {
  const bySlug = Map.groupBy(posts, ({ slug }) => slug);
  return [...bySlug].map(([slug, written]) => ({
    path: `/blog/${slug}`,
    languages: written.map(({ lang }) => lang),
    changed: new Date(Math.max(...written.map(({ published, updated }) => (updated ?? published).getTime()))),
  }));
}

/** The public pages in a language. */
async function listPageEntries(lang: Language): Promise<SitemapEntry[]> {
  const toTranslatedPage = (path: string): SitemapPage => ({ path, languages: LANGUAGES });
  return listEntries(lang, [
    ...[
      '',
      '/discover',
      ...TAGS.map((tag) => `/tag/${tag}`),
      '/creator-competition',
      '/blog',
      '/safety',
      '/status',
    ].map(toTranslatedPage),
    ...listPostPages(await listAllPosts()),
  ]);
}

/** What a sitemap names; undefined for one that the list of sitemaps does not. */
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
  // Their other languages are named by the pages themselves: here they would make the file twelve times as large.
  return characters.map(({ id, updatedAt }) => ({
    path: `/${file.lang}/character-info/${encodeURIComponent(id)}`,
    changed: new Date(updatedAt),
  }));
}

/** The public pages of a language, a part of the catalogue in it, or those who made that, for robots. */
export async function GET(page: APIContext): Promise<Response> {
  const { params, url } = page;
  const file = parseSitemapName(params['file'] ?? '');
  if (file === null) return new Response(null, { status: 404 });
  const canonicalPath = getSitemapPath(file);
  // Each address costs a reading of its part: there is one for each.
  if (url.search !== '') return page.redirect(canonicalPath, 302);
  const entries = await loadOptional(() => listSitemapEntries(file));
  if (entries === undefined) return new Response(null, { status: 404 });
  if (entries === null) return createSitemapResponse('', { whole: false, status: 503 });
  cachePublicly(page, { kind: 'file', here: canonicalPath, whole: true, tags: [LIST_TAG] });
  return createSitemapResponse(renderSitemap(url.origin, entries), { whole: true });
}
