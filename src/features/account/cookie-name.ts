import { isLocalhost } from './localhost.ts';

/** What the session's cookie is called, before {@link getCookieName}. */
export const SESSION_COOKIE = 'session';

/** A cookie as it is called at an address: plain http is for this machine alone; everywhere else it is for https and this host only. */
export function getCookieName(
  name: string,
  url: Pick<URL, 'protocol' | 'hostname'>,
): { name: string; secure: boolean } {
  return isLocalhost(url) ? { name, secure: false } : { name: `__Host-${name}`, secure: true };
}
