import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Language } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { detectLanguage } from '../locales/detect.ts';
import { translator } from '../locales/i18n.ts';
import { LANGUAGE_COOKIE } from '../locales/language-cookie.ts';
import { routeFor } from '../locales/routes.ts';
import { type CostName, countNetwork, RATES } from './limits.ts';
import { Problem } from './problems.ts';

const HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** What an address outside of the API costs: one that searches, or that leads further down a list, as much as the API's search. */
function costOfPage({ pathname, searchParams }: URL): CostName {
  if (pathname.startsWith('/media/')) return 'picture';
  return searchParams.has('q') || searchParams.has('cursor') ? 'search' : 'page';
}

/** A page of two sentences, for whose sake nothing is read and nothing of the layouts is drawn. */
function refusal(lang: Language): ReturnType<typeof html> {
  const t = translator(lang);
  const title = t('pages:error.heading', { status: 429, message: t('pages:error.status.429') });
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        <p>${t('errors:too_many_requests')}</p>
      </body>
    </html>`;
}

/**
 * Bounds what one network has drawn, before anything is: shared caches keep no search and no made-up address, so each of
 * them reaches the database. Whoever comes too often reads so in their language; a program that asks for pictures gets
 * the answer of the API. Off where the operator says so.
 */
export const pageLimit: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  if (readEnvironment(c.env).rateLimits !== 'on') return next();
  const url = new URL(c.req.url);
  const cost = costOfPage(url);
  try {
    await countNetwork(c, cost);
  } catch (error) {
    if (!(error instanceof Problem) || cost === 'picture') throw error;
    const cookie = getCookie(c, LANGUAGE_COOKIE) ?? null;
    const acceptLanguage = c.req.header('accept-language') ?? null;
    const route = routeFor(url, cookie, acceptLanguage);
    const lang = route.kind === 'serve' ? route.lang : detectLanguage({ cookie, acceptLanguage });
    return c.html(refusal(lang), 429, { ...HEADERS, 'retry-after': String(RATES.LIMIT_600.period) });
  }
  return next();
};
