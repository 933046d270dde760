import { defineMiddleware } from 'astro:middleware';
import { readSiteConfig } from './components/data/site-config.ts';
import { getPaymentSources, getCspSources, extendCsp } from './layouts/csp.ts';
import { detectLanguage, isLanguage } from './locales/detect.ts';
import { getPageTexts } from './locales/i18n.ts';
import { LANGUAGE_COOKIE, resolveRoute } from './locales/routes.ts';
import { copyRedacted } from './lib/redact.ts';

const POLICY = 'content-security-policy';

/** The one page on which people pay. */
const PAYMENT_PAGE = '/membership';

/**
 * Gives every page its language and its texts, and its policy what the operator chose to let in; the front door has
 * already sent stray addresses on.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  const cookie = context.cookies.get(LANGUAGE_COOKIE)?.value ?? null;
  const acceptLanguage = context.request.headers.get('accept-language');
  const route = resolveRoute(context.url, cookie, acceptLanguage);
  context.locals.lang = route.kind === 'serve' ? route.lang : detectLanguage({ cookie, acceptLanguage });
  const { t, words } = getPageTexts(context.locals.lang, context.url.searchParams);
  context.locals.t = t;
  context.locals.words = words;

  const isPaymentPage = context.routePattern === PAYMENT_PAGE;
  if (isPaymentPage) context.locals.paymentNonce = crypto.randomUUID();

  // `/anything` fits the address of a home page as well as `/de` does. An empty 404 is drawn by 404.astro.
  const prefix = context.params['lang'];
  if (prefix !== undefined && !isLanguage(prefix)) return new Response(null, { status: 404 });
  // What is thrown, Astro writes into the log as it is.
  const response = await next().catch((error: unknown) => {
    throw copyRedacted(error);
  });
  // Not by a page's own means: a page that waits for something is sent its headers before its layout is drawn.
  const policy = response.headers.get(POLICY);
  if (policy !== null) {
    const operator = readSiteConfig();
    const { paymentScripts } = operator;
    const sources = getCspSources(operator);
    if (isPaymentPage && paymentScripts !== null)
      sources.push(getPaymentSources(paymentScripts, context.locals.paymentNonce ?? ''));
    const widened = sources.reduce(extendCsp, policy);
    if (widened !== policy) response.headers.set(POLICY, widened);
  }
  return response;
});
