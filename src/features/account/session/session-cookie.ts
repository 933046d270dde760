import { computeHash } from '../../../lib/hash.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL is plain http on the loopback interface, which no public site can have. */
export function isLocalhost({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'http:' && LOOPBACK.has(hostname);
}

/** Base name of the session cookie, before {@link getCookieName}. */
export const SESSION_COOKIE = 'session';

/**
 * Returns the name and Secure flag of a cookie for a URL. Plain http is only used on localhost; everywhere else the
 * `__Host-` prefix limits the cookie to https and this host.
 */
export function getCookieName(
  name: string,
  url: Pick<URL, 'protocol' | 'hostname'>,
): { name: string; secure: boolean } {
  return isLocalhost(url) ? { name, secure: false } : { name: `__Host-${name}`, secure: true };
}

/** Returns the database's id of a cookie's token: its hash. Null when the token is malformed. */
export async function computeSessionId(token: string): Promise<string | null> {
  return /^[0-9a-f]{64}$/.test(token) ? computeHash(token) : null;
}
