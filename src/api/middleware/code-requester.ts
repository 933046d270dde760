import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import {
  findKnownBrowser,
  KNOWN_BROWSER_COOKIE,
  storeKnownBrowser,
} from '../../features/account/login-code/known-browser.ts';
import { KNOWN_BROWSER } from '../../features/account/limits.ts';
import type { CodeRequester } from '../../features/account/login-code/login-code-waits.ts';
import { getNetworkPrefix } from '../../features/account/network-prefix.ts';
import { computeKeyedHash } from '../../lib/hash.ts';
import { getClientIp, type ApiEnv } from './context.ts';
import { resolveCookieName } from './guards.ts';

/** Hex characters; enough that no two networks that request or try codes of one address share a fingerprint. */
const FINGERPRINT_CHARS = 16;

/** The network of all callers with RATE_LIMITS off, as in local use. */
const EVERYWHERE = 'everywhere';

/** Keyed hashes reveal nothing without the operator's secret, and cannot be compared between addresses. */
async function computeFingerprint(c: Context<ApiEnv>, email: string, of: string): Promise<string> {
  const { authSecret } = c.get('settings');
  const hash = await computeKeyedHash(`tries of a code\n${authSecret}`, `${email}\n${of}`);
  return hash.slice(0, FINGERPRINT_CHARS);
}

const computeNetworkFingerprint = (c: Context<ApiEnv>, email: string): Promise<string> =>
  computeFingerprint(
    c,
    email,
    getNetworkPrefix(c.get('settings').rateLimits === 'on' ? getClientIp(c) : EVERYWHERE),
  );

async function readBrowserFingerprint(c: Context<ApiEnv>, email: string): Promise<string | null> {
  const cookie = getCookie(c, resolveCookieName(c, KNOWN_BROWSER_COOKIE).name);
  const mark = await findKnownBrowser(cookie, email, c.get('settings').authSecret);
  return mark === null ? null : computeFingerprint(c, email, `browser ${mark}`);
}

/** Returns who requests a code for the address: a browser that is known to it, or a network. */
export async function readCodeRequester(c: Context<ApiEnv>, email: string): Promise<CodeRequester> {
  const browser = await readBrowserFingerprint(c, email);
  return browser === null
    ? { requester: await computeNetworkFingerprint(c, email), isKnownBrowser: false }
    : { requester: browser, isKnownBrowser: true };
}

/**
 * Returns the requesters that the caller of a try may be: the network, and the browser if it is known to the address. With
 * RATE_LIMITS off only the network, so that a code has five wrong tries in total.
 */
export async function listCodeRequesters(c: Context<ApiEnv>, email: string): Promise<string[]> {
  const browser = c.get('settings').rateLimits === 'on' ? await readBrowserFingerprint(c, email) : null;
  const network = await computeNetworkFingerprint(c, email);
  return browser === null ? [network] : [browser, network];
}

/** Remembers that the address was logged in to in this browser. Off when RATE_LIMITS is off. */
export async function saveKnownBrowser(c: Context<ApiEnv>, email: string): Promise<void> {
  if (c.get('settings').rateLimits !== 'on') return;
  const { name, secure } = resolveCookieName(c, KNOWN_BROWSER_COOKIE);
  const value = await storeKnownBrowser(getCookie(c, name), email, c.get('settings').authSecret);
  setCookie(c, name, value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: KNOWN_BROWSER.lifetimeMs / 1000,
  });
}

/** Forgets all addresses of this browser. */
export function removeKnownBrowser(c: Context<ApiEnv>): void {
  const { name, secure } = resolveCookieName(c, KNOWN_BROWSER_COOKIE);
  if (getCookie(c, name) !== undefined) deleteCookie(c, name, { path: '/', secure });
}
