import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { isSuspendedOrGone } from '../../features/account/account-store.ts';
import { SESSION } from '../../features/account/limits.ts';
import { readSignedCookie, signCookieValue } from '../../features/account/signed-cookie.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import type { ApiEnv } from './context.ts';
import { getCookieName } from '../../features/account/session/session-cookie.ts';
import { Problem } from './problems.ts';

/*
 * A suspended person must not go on as a new guest in the same browser. A signed cookie remembers the suspended user after
 * the session ended, for as long as a session lasts. Logging in stays possible.
 */

const MARKER = 'suspended';

/** Remembers a suspended user in the browser. */
export async function saveSuspensionMarker(c: Context<ApiEnv>, user: SessionUser): Promise<void> {
  const { name, secure } = getCookieName(MARKER, new URL(c.req.url));
  const value = await signCookieValue(MARKER, user.id, c.get('settings').authSecret);
  if (getCookie(c, name) === value) return;
  setCookie(c, name, value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: SESSION.lifetimeMs / 1000,
  });
}

/**
 * Refuses a new guest in a browser whose last user is suspended, or was when the account was deleted. Forgets a suspension
 * that was lifted.
 * @throws Problem `account_suspended`
 */
export async function refuseSuspendedBrowser(c: Context<ApiEnv>): Promise<void> {
  const { name, secure } = getCookieName(MARKER, new URL(c.req.url));
  const userId = await readSignedCookie(MARKER, getCookie(c, name), c.get('settings').authSecret);
  if (userId === null) return;
  if (await isSuspendedOrGone(c.get('db'), userId)) throw new Problem('account_suspended');
  deleteCookie(c, name, { path: '/', secure });
}
