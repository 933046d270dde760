import type { Language } from '../config/languages.ts';
import { parseLanguage } from './detect.ts';

/** Pages with the language in their path, which the switcher replaces (docs/product.md). */
const PREFIXED_PATH = /^(?:\/discover|\/tag\/[^/]+)?$/;

/**
 * The address of a page in another language. Home, discover and tag pages change their prefix; other pages keep their
 * path. `lng` makes the server remember the choice.
 *
 * @param url the page's address; null for a page that does not exist, which links to the home page
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
