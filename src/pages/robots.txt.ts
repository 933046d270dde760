import type { APIContext } from 'astro';
import { cachePublicly } from '../layouts/cacheable-page.ts';

/** Personal pages and paths without pages. Public pages that should not be indexed say so themselves. */
const DISALLOWED_PATHS = [
  '/api',
  '/character/',
  '/messages/',
  '/chats/',
  '/account',
  '/creator-center/',
  '/delete-account',
  '/unsubscribe',
];

/** Lists the paths that robots may not crawl, and the sitemap. */
export function GET(page: APIContext): Response {
  const { url } = page;
  cachePublicly(page, { kind: 'file', here: '/robots.txt', whole: true });
  const lines = [
    'User-agent: *',
    ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${url.origin}/sitemap.xml`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
