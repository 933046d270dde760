import { LANGUAGE_COOKIE } from '../../locales/language-cookie.ts';
import { part } from './parts.ts';

/**
 * Pages without a language in their address follow the cookie. Who came in by a page that has one and never
 * chose would change language on the way to a chat; so it is kept, for this visit only, unless a choice is.
 */
export function rememberLanguage(): void {
  if (document.cookie.split('; ').some((pair) => pair.startsWith(`${LANGUAGE_COOKIE}=`))) return;
  const language = part('lang').dataset['lang'] ?? '';
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; SameSite=Lax${secure}`;
}
