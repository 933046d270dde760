import type { APIRoute } from 'astro';
import { BRAND } from '../../config/brand.ts';
import { cachePublicly } from '../../layouts/cacheable-page.ts';

/** Background of the dark theme (styles/theme.css), shown while the installed app starts. */
const BACKGROUND_COLOR = '#16130f';

/** The web app manifest, in the language of the page that it was installed from. */
export const GET: APIRoute = (page) => {
  const { lang, t } = page.locals;
  cachePublicly(page, { kind: 'file', here: `/${lang}/manifest.webmanifest`, whole: true });
  const icon = (file: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${file}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    // The same app for all languages.
    id: '/',
    name: BRAND.name,
    short_name: BRAND.name,
    description: t('device:manifest.description'),
    lang,
    dir: 'ltr',
    start_url: `/${lang}`,
    scope: '/',
    display: 'standalone',
    background_color: BACKGROUND_COLOR,
    theme_color: BACKGROUND_COLOR,
    categories: ['entertainment', 'books'],
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('maskable-192.png', 192, 'maskable'),
      icon('maskable-512.png', 512, 'maskable'),
    ],
    shortcuts: [
      {
        name: t('device:manifest.discover'),
        description: t('device:manifest.discoverText'),
        url: `/${lang}/discover`,
        icons: [icon('icon-192.png', 192, 'any')],
      },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: {
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
  });
};
