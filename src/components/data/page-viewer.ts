import { env } from 'cloudflare:workers';
import type { AstroGlobal } from 'astro';
import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { getCookieName, SESSION_COOKIE } from '../../features/account/cookie-name.ts';
import { readSession } from '../../features/account/session.ts';
import { PUBLIC_VIEWER, type Viewer } from '../../features/character/character-store.ts';
import { NSFW_VIEW, OWNER_VIEW } from './view-params.ts';

/**
 * Who a public page is drawn for: nobody in particular, unless its address asks for what adults or a character's maker
 * see; then it is whoever the session is of. No answer to such an address may ever be given to a cache.
 * @throws what the database throws
 */
export async function readPageViewer({
  url,
  cookies,
}: Pick<AstroGlobal, 'url' | 'cookies'>): Promise<Viewer> {
  if (![NSFW_VIEW, OWNER_VIEW].some((view) => url.searchParams.has(view))) return PUBLIC_VIEWER;
  const token = cookies.get(getCookieName(SESSION_COOKIE, url).name)?.value ?? '';
  const { adminEmails, spicyMode, ageCheck } = readEnvironment(env);
  const rules = { adminEmails, spicyMode, ageCheck, now: Date.now() };
  const user = (await readSession(openDatabase(env.DB), token, rules))?.user;
  if (user?.suspended_at !== undefined) return PUBLIC_VIEWER;
  return { userId: user?.id ?? null, spicy: user?.spicy_mode === true };
}
