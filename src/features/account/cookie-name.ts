import { isLocalhost } from './localhost.ts';

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
