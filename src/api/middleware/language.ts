import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Language } from '../../config/languages.ts';
import { detectLanguage } from '../../locales/detect.ts';
import { LANGUAGE_COOKIE } from '../../locales/routes.ts';
import type { ApiEnv, Caller } from './context.ts';

/** Returns the language for texts that are created for this caller. */
export function getRequestLanguage(c: Context<ApiEnv>): Language {
  return detectLanguage({
    cookie: getCookie(c, LANGUAGE_COOKIE) ?? null,
    acceptLanguage: c.req.header('accept-language') ?? null,
  });
}

/** Returns the user's name in conversations without a persona. */
export async function getOwnName(
  c: Context<ApiEnv>,
  user: Pick<Caller['user'], 'nickname'>,
): Promise<string> {
  if (user.nickname !== null) return user.nickname;
  // Not imported at the start, which needs no texts.
  const { loadTexts } = await import('../../locales/i18n.ts');
  return (await loadTexts(getRequestLanguage(c))).t('chat:nameless');
}
