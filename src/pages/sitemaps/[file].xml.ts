import type { APIContext } from 'astro';
import { env } from 'cloudflare:workers';
import { LANGUAGES, type Language } from '../../config/languages.ts';
import { TAGS } from '../../features/character/limits.ts';
import { openDatabase } from '../../db/open.ts';
import {
  sitemapCharacters,
  sitemapCreators,
  sitemapParts,
} from '../../features/character/discovery/sitemap-store.ts';
import { LIST_TAG } from '../../features/page-cache/page-tags.ts';
import { sharePage } from '../../layouts/cacheable-page.ts';
import { attempt } from '../../components/data/load-optional.ts';
import { allPosts, type Post } from '../../components/data/posts.ts';
import {
  entriesIn,
  partOf,
  sitemapFile,
  sitemapOf,
  sitemapPath,
  type SitemapEntry,
  type SitemapFile,
  type SitemapPage,
} from '../../components/data/sitemap.ts';
import { sitemapAnswer } from '../../components/data/sitemap-response.ts';

/** One page a post, in the languages that it is written in. */
function postPages(posts: readonly Post[]): SitemapPage[] {
  const bySlug = Map.groupBy(posts, ({ slug }) => slug);
  return [...bySlug].map(([slug, written]) => ({
    path: `/blog/${slug}`,
    languages: written.map(({ lang }) => lang),
    changed: new Date(Math.max(...written.map(({ published, updated }) => (updated ?? published).getTime()))),
  }));
}

/** The public pages in a language. */
async function pagesIn(lang: Language): Promise<SitemapEntry[]> {
  const everywhere = (path: string): SitemapPage => ({ path, languages: LANGUAGES });
  return entriesIn(lang, [
    ...[
      '',
      '/discover',
      ...TAGS.map((tag) => `/tag/${tag}`),
      '/creator-competition',
      '/blog',
      '/safety',
      '/status',
    ].map(everywhere),
    ...postPages(await allPosts()),
  ]);
}

/** What a sitemap names; undefined for one that the list of sitemaps does not. */
async function entriesOf(file: SitemapFile): Promise<SitemapEntry[] | undefined> {
  if (file.kind === 'pages') return pagesIn(file.lang);
  const db = openDatabase(env.DB);
  const part = partOf(file, await sitemapParts(db, env.KV));
  if (part === undefined) return undefined;
  if (file.kind === 'creators') {
    const creators = await sitemapCreators(db, part);
    return creators.map((id) => ({ path: `/creator/${encodeURIComponent(id)}` }));
  }
  const characters = await sitemapCharacters(db, part);
  // Their other languages are named by the pages themselves: here they would make the file twelve times as large.
  return characters.map(({ id, updatedAt }) => ({
    path: `/${file.lang}/character-info/${encodeURIComponent(id)}`,
    changed: new Date(updatedAt),
  }));
}

/** The public pages of a language, a part of the catalogue in it, or those who made that, for robots. */
export async function GET(page: APIContext): Promise<Response> {
  const { params, url } = page;
  const file = sitemapFile(params['file'] ?? '');
  if (file === null) return new Response(null, { status: 404 });
  const here = sitemapPath(file);
  // Each address costs a reading of its part: there is one for each.
  if (url.search !== '') return page.redirect(here, 302);
  const entries = await attempt(() => entriesOf(file));
  if (entries === undefined) return new Response(null, { status: 404 });
  if (entries === null) return sitemapAnswer('', { whole: false, status: 503 });
  sharePage(page, { kind: 'file', here, whole: true, tags: [LIST_TAG] });
  return sitemapAnswer(sitemapOf(url.origin, entries), { whole: true });
}
