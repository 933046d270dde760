import { defineMiddleware } from 'astro:middleware';
import { detectLanguage, isLanguage } from './locales/detect.ts';
import { translator } from './locales/i18n.ts';
import { LANGUAGE_COOKIE, routeFor } from './locales/routes.ts';

/** Gives every page its language and its texts; the front door has already sent stray addresses on. */
export const onRequest = defineMiddleware((context, next) => {
  const cookie = context.cookies.get(LANGUAGE_COOKIE)?.value ?? null;
  const acceptLanguage = context.request.headers.get('accept-language');
  const route = routeFor(context.url, cookie, acceptLanguage);
  context.locals.lang = route.kind === 'serve' ? route.lang : detectLanguage({ cookie, acceptLanguage });
  context.locals.t = translator(context.locals.lang);

  // `/anything` fits the address of a home page as well as `/de` does. An empty 404 is drawn by 404.astro.
  const prefix = context.params['lang'];
  if (prefix !== undefined && !isLanguage(prefix)) return new Response(null, { status: 404 });
  return next();
});
