import type { Language } from '../config/languages.ts';
import { parseLanguage } from './detect.ts';

/** Pages whose own address carries the language that the switcher changes (SPEC section 2). */
const PREFIXED_PATH = /^(?:\/discover|\/tag\/[^/]+)?$/;

/**
 * The address of a page in another language, as the switcher links it. Home, discover and tag pages change
 * their prefix; everywhere else the page stays. `lng` makes the front door remember the choice.
 *
 * @param url the page's address, or null for a page that does not exist: then the home page
 */
export function buildLanguageHref(url: URL | null, language: Language): string {
  if (!url) return `/${language}?lng=${language}`;
  const query = new URLSearchParams(url.search);
  query.set('lng', language);
  const [, first = '', ...rest] = url.pathname.split('/');
  const page = rest.map((segment) => `/${segment}`).join('');
  const isPrefixed = parseLanguage(first) !== null && PREFIXED_PATH.test(page);
  return `${isPrefixed ? `/${language}${page}` : url.pathname}?${query}`;
}
