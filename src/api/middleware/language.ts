import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Language } from '../../config/languages.ts';
import { detectLanguage } from '../../locales/detect.ts';
import { LANGUAGE_COOKIE } from '../../locales/routes.ts';
import type { ApiEnv } from './context.ts';

/** Returns the language for texts that are created for this caller. */
export function getRequestLanguage(c: Context<ApiEnv>): Language {
  return detectLanguage({
    cookie: getCookie(c, LANGUAGE_COOKIE) ?? null,
    acceptLanguage: c.req.header('accept-language') ?? null,
  });
}
