import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Language } from '../../config/languages.ts';
import { detectLanguage } from '../../locales/detect.ts';
import { getTranslator } from '../../locales/i18n.ts';
import { LANGUAGE_COOKIE } from '../../locales/routes.ts';
import type { ApiEnv, Caller } from './context.ts';

/** The language that texts made for this caller are written in. */
export function getRequestLanguage(c: Context<ApiEnv>): Language {
  return detectLanguage({
    cookie: getCookie(c, LANGUAGE_COOKIE) ?? null,
    acceptLanguage: c.req.header('accept-language') ?? null,
  });
}

/** What somebody is called in their stories where they are no persona. */
export function getOwnName(c: Context<ApiEnv>, user: Pick<Caller['user'], 'nickname'>): string {
  return user.nickname ?? getTranslator(getRequestLanguage(c))('chat:nameless');
}
