import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { addGoogleAccount } from '../../features/account/account-store.ts';
import { GOOGLE_SIGN_IN } from '../../features/account/limits.ts';
import { getCookieName } from '../../features/account/session/session-cookie.ts';
import { readSignedCookie, signCookieValue } from '../../features/account/signed-cookie.ts';
import type { ApiEnv } from './context.ts';

/*
 * A Google account with an address that Google does not host is connected to the account of that address once a code has
 * shown that the same browser's user owns the address today. Until then a signed cookie holds Google's answer.
 */

const LINK = 'google-link';

/** Remembers a Google account until a code confirms its address. */
export async function saveGoogleLink(
  c: Context<ApiEnv>,
  { subject, email }: { subject: string; email: string },
): Promise<void> {
  const { name, secure } = getCookieName(LINK, new URL(c.req.url));
  const expiresAt = Date.now() + GOOGLE_SIGN_IN.lifetimeMs;
  const value = JSON.stringify([expiresAt, subject, email]);
  setCookie(c, name, await signCookieValue(LINK, value, c.get('settings').authSecret), {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: GOOGLE_SIGN_IN.lifetimeMs / 1000,
  });
}

/** Connects the remembered Google account after a sign-in with a code sent to its address. */
export async function claimGoogleLink(
  c: Context<ApiEnv>,
  { email, userId, now }: { email: string; userId: string; now: number },
): Promise<void> {
  const { name, secure } = getCookieName(LINK, new URL(c.req.url));
  const cookie = getCookie(c, name);
  if (cookie === undefined) return;
  deleteCookie(c, name, { path: '/', secure });
  const value = await readSignedCookie(LINK, cookie, c.get('settings').authSecret);
  if (value === null) return;
  const [expiresAt, subject, confirmed] = JSON.parse(value) as [number, string, string];
  if (confirmed === email && expiresAt > now) await addGoogleAccount(c.get('db'), { subject, userId, now });
}
