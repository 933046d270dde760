import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { html, raw } from 'hono/html';
import type { Language } from '../../config/languages.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { detectLanguage } from '../../locales/detect.ts';
import { LANGUAGE_COOKIE } from '../../locales/language-cookie.ts';
import { resolveRoute } from '../../locales/routes.ts';
import { type CostName, countNetworkCall, RATES } from './rate-limits.ts';
import { Problem } from './problems.ts';

const HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** Parameters of pages that search, or go further down a list. */
const SEARCH_PARAMETERS = ['q', 'cursor', 'include', 'exclude'];

/** Returns the cost of a page: a search or a further page of a list costs as much as the API's search. */
function getPageCost({ pathname, searchParams }: URL): CostName {
  if (pathname.startsWith('/media/')) return 'picture';
  return SEARCH_PARAMETERS.some((name) => searchParams.has(name)) ? 'search' : 'page';
}

const STYLE = `
:root{color-scheme:light dark}
body{display:grid;place-content:center;box-sizing:border-box;min-block-size:100dvh;max-inline-size:34rem;margin:auto;padding:1.5rem;background:light-dark(#f6f1e7,#16130f);color:light-dark(#2a231a,#ece4d6);font:1.0625rem/1.6 system-ui,sans-serif}
h1{margin:0;font-family:Georgia,'Noto Serif',serif;font-size:1.9rem;line-height:1.25}
a{display:inline-block;margin-inline-end:1.5rem;padding-block:.6rem;color:light-dark(#8a5a00,#e6a63a)}`;

/**
 * Renders the refusal page. It reads no data and uses no layout, so that it stays cheap.
 * @param nonce allows the style sheet in the content security policy
 */
async function renderRefusalPage(lang: Language, nonce: string) {
  // Read only now, because the Worker's start has no texts to translate.
  const { loadTexts } = await import('../../locales/i18n.ts');
  const { t } = await loadTexts(lang);
  const title = t('pages:error.heading', { status: 429, message: t('pages:error.status.429') });
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${t('errors:too_many_requests')}</p>
          <a href="">${t('account:tryAgain')}</a><a href="/${lang}">${t('pages:error.home')}</a>
        </main>
      </body>
    </html>`;
}

/**
 * Limits page rendering per network, before anything is rendered. Shared caches store neither searches nor unknown
 * addresses, so each of those reaches the database. Browsers get a page in their language, requests for pictures the
 * API's response. Off when RATE_LIMITS is off.
 */
export const limitPages: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  if (readEnvironment(c.env).rateLimits !== 'on') return next();
  const url = new URL(c.req.url);
  const cost = getPageCost(url);
  try {
    await countNetworkCall(c, cost);
  } catch (error) {
    if (!(error instanceof Problem) || cost === 'picture') throw error;
    const cookie = getCookie(c, LANGUAGE_COOKIE) ?? null;
    const acceptLanguage = c.req.header('accept-language') ?? null;
    const route = resolveRoute(url, cookie, acceptLanguage);
    const lang = route.kind === 'serve' ? route.lang : detectLanguage({ cookie, acceptLanguage });
    const nonce = crypto.randomUUID();
    return c.html(await renderRefusalPage(lang, nonce), 429, {
      ...HEADERS,
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'retry-after': String(RATES.LIMIT_600.period),
    });
  }
  return next();
};
