import { defineMiddleware } from 'astro:middleware';
import { readSiteConfig } from './components/data/site-config.ts';
import { getPaymentSources, getCspSources, extendCsp } from './layouts/csp.ts';
import { keepPage } from './layouts/kept-pages.ts';
import { detectLanguage, isLanguage } from './locales/detect.ts';
import { loadPageTexts } from './locales/i18n.ts';
import { LANGUAGE_COOKIE, resolveRoute } from './locales/routes.ts';
import { copyRedacted } from './lib/redact.ts';

const POLICY = 'content-security-policy';

/** The only page with payments. */
const PAYMENT_PAGE = '/membership';

/**
 * Sets the language and texts of every page and extends its content security policy by the sources that the operator's
 * configuration requires. The worker has already redirected non-canonical addresses.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  const cookie = context.cookies.get(LANGUAGE_COOKIE)?.value ?? null;
  const acceptLanguage = context.request.headers.get('accept-language');
  const route = resolveRoute(context.url, cookie, acceptLanguage);
  context.locals.lang = route.kind === 'serve' ? route.lang : detectLanguage({ cookie, acceptLanguage });
  const { t, words } = await loadPageTexts(context.locals.lang, context.url.searchParams);
  context.locals.t = t;
  context.locals.words = words;

  const isPaymentPage = context.routePattern === PAYMENT_PAGE;
  if (isPaymentPage) context.locals.paymentNonce = crypto.randomUUID();

  // `/anything` matches the route of a home page as well as `/de` does. Astro renders 404.astro for an empty 404.
  const prefix = context.params['lang'];
  if (prefix !== undefined && !isLanguage(prefix)) return new Response(null, { status: 404 });
  const keep = (rendered: Response) => {
    const { kept } = context.locals;
    return kept === undefined ? rendered : keepPage(kept.place, kept.data, rendered);
  };
  // Redact errors, because Astro logs a thrown error unchanged.
  const response = await next()
    .then(keep)
    .catch((error: unknown) => {
      throw copyRedacted(error);
    });
  // Set the header here instead of in the page: a page that awaits data sends its headers before its layout is rendered.
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
