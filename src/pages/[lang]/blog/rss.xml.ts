import rss from '@astrojs/rss';
import type { APIContext } from 'astro';
import { cachePublicly } from '../../../layouts/cacheable-page.ts';
import { listAllPosts, MAX_FEED_POSTS, type Post } from '../../../components/data/posts.ts';
import { compareByDate } from '../../../components/data/post-rules.ts';

/** The feed is public and requested often. */
const CACHE_CONTROL = 'public, max-age=3600';

/** Feed readers expect a region where a language has several scripts. */
const FEED_LANGUAGE: Partial<Record<string, string>> = { zh: 'zh-CN' };

/** A post's HTML for a feed, with absolute links. */
function renderPostContent(post: Post, address: string): string {
  const html = post.entry.rendered?.html ?? '';
  return html.replaceAll(
    /(<a [^>]*?href=")([^"]*)"/g,
    (_, before: string, href: string) => `${before}${new URL(href, address).href}"`,
  );
}

/** The feed of a language: its newest posts with their complete text. */
export async function GET(page: APIContext): Promise<Response> {
  const {
    locals: { lang, t },
    url,
  } = page;
  cachePublicly(page, { kind: 'file', here: `/${lang}/blog/rss.xml`, whole: true });
  const posts = (await listAllPosts())
    .filter((post) => post.lang === lang)
    .toSorted(compareByDate)
    .slice(0, MAX_FEED_POSTS);
  const blog = `${url.origin}/${lang}/blog`;
  const answer = await rss({
    title: t('blog:feedTitle'),
    description: t('blog:description'),
    site: blog,
    trailingSlash: false,
    xmlns: { atom: 'http://www.w3.org/2005/Atom' },
    customData: [
      `<language>${FEED_LANGUAGE[lang] ?? lang}</language>`,
      `<atom:link href="${blog}/rss.xml" rel="self" type="application/rss+xml" />`,
    ].join(''),
    items: posts.map((post) => {
      const link = `${blog}/${post.slug}`;
      return {
        title: post.title,
        link,
        description: post.description,
        pubDate: post.published,
        categories: post.tags.map((tag) => t(`blog:tag.${tag}`)),
        content: renderPostContent(post, link),
      };
    }),
  });
  answer.headers.set('content-type', 'application/rss+xml; charset=utf-8');
  answer.headers.set('cache-control', CACHE_CONTROL);
  return answer;
}
