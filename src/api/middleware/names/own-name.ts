import type { Context } from 'hono';
import { loadTexts } from '../../../locales/i18n.ts';
import type { ApiEnv, Caller } from '../context.ts';
import { getRequestLanguage } from '../language.ts';

/** Returns the user's name in conversations without a persona. */
export async function getOwnName(
  c: Context<ApiEnv>,
  user: Pick<Caller['user'], 'nickname'>,
): Promise<string> {
  return user.nickname ?? (await loadTexts(getRequestLanguage(c))).t('chat:defaultName');
}
