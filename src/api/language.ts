import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Language } from '../config.ts';
import { detectLanguage } from '../locales/detect.ts';
import { LANGUAGE_COOKIE } from '../locales/routes.ts';
import type { ApiEnv } from './context.ts';

/** The language that texts made for this caller are written in. */
export function languageOf(c: Context<ApiEnv>): Language {
  return detectLanguage({
    cookie: getCookie(c, LANGUAGE_COOKIE) ?? null,
    acceptLanguage: c.req.header('accept-language') ?? null,
  });
}
