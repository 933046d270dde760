import type { APIContext } from 'astro';
import { cachePublicly } from '../layouts/cacheable-page.ts';

/** What belongs to one person, or is no page. Pages that may be read and not be found say so themselves. */
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

/** What robots may read, and where the list of it is. */
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
