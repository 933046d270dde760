import { env } from 'cloudflare:workers';
import type { AstroGlobal } from 'astro';
import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { getCookieName, SESSION_COOKIE } from '../../features/account/session/session-cookie.ts';
import { readSession } from '../../features/account/session/session.ts';
import { PUBLIC_VIEWER, type Viewer } from '../../features/character/character-store.ts';
import { loadOptional } from './load-optional.ts';
import { NSFW_VIEW, OWNER_VIEW } from './view-params.ts';
import type { SessionUser } from '../../features/account/contract.ts';

/** Returns the session's user; null without one. @throws database errors */
async function readPageUser({
  url,
  cookies,
}: Pick<AstroGlobal, 'url' | 'cookies'>): Promise<SessionUser | null> {
  const token = cookies.get(getCookieName(SESSION_COOKIE, url).name)?.value ?? '';
  const { adminEmails, spicyMode, ageCheck } = readEnvironment(env);
  const rules = { adminEmails, spicyMode, ageCheck, now: Date.now() };
  return (await readSession(openDatabase(env.DB), token, rules))?.user ?? null;
}

/**
 * Sets the status of an admin page: 200 for administrators, 404 for everyone else, also if the session cannot be read. Such
 * a response must never be cached.
 * @returns whether the session's user is an administrator
 */
export async function authorizeAdminPage(
  page: Pick<AstroGlobal, 'url' | 'cookies' | 'response'>,
): Promise<boolean> {
  const isAdmin = (await loadOptional(() => readPageUser(page)))?.role === 'admin';
  page.response.status = isAdmin ? 200 : 404;
  return isAdmin;
}

/**
 * The viewer that a public page is rendered for: anonymous, unless the address asks for the adult or the creator's
 * view; then the session's user. Responses to such an address must never be cached.
 * @throws database errors
 */
export async function readPageViewer(page: Pick<AstroGlobal, 'url' | 'cookies'>): Promise<Viewer> {
  if (![NSFW_VIEW, OWNER_VIEW].some((view) => page.url.searchParams.has(view))) return PUBLIC_VIEWER;
  const user = await readPageUser(page);
  if (user?.suspended_at !== undefined) return PUBLIC_VIEWER;
  return { userId: user?.id ?? null, spicy: user?.spicy_mode === true };
}
