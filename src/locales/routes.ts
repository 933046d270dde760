import { DEFAULT_LANGUAGE, type Language } from '../config/languages.ts';
import { detectLanguage, isLanguage, parseLanguage } from './detect.ts';

export { LANGUAGE_COOKIE } from './language-cookie.ts';

/** Paths that exist in every language with a prefix; `*` matches one segment. */
const PREFIXED_PAGES = [
  '',
  'discover',
  'tag/*',
  'character-info/*',
  'creator-center',
  'favourites',
  'user-persona',
  'create-character',
  'move-in',
  'creator-competition',
  'blog',
  'blog/*',
  'safety',
  'status',
  'offline',
] as const;

/** Paths without a language prefix; the language comes from the visitor. */
const UNPREFIXED_PAGES = [
  'settings',
  'feedback',
  'creator/*',
  'creator/*/report',
  'error-page',
  'account',
  'account/points',
  'admin-stats',
  'admin-reports',
  'admin-people',
  'admin-feedback',
  'admin-competition',
  'creator-center/edit/*',
  'character/*',
  'messages/*',
  'chats/search',
  'membership',
  'character/*/report',
  'delete-account',
  'unsubscribe',
  'login',
  'test-login',
  'privacy',
  'terms',
  'about',
] as const;

/** The only file with a language prefix; people also request it without one. */
const FEED_PATH = '/blog/rss.xml';

/** Prefixes that contain no pages. */
const UNROUTED_PREFIXES = ['/_astro/', '/media/', '/api/', '/cdn-cgi/'];

/** A segment that looks like a code of an unsupported language: `nl`, `sv-SE`. */
const LANGUAGE_LIKE = /^(?:[a-z]{2}|[a-z]{2,3}[-_][a-z0-9]{2,8})$/i;

export type Route =
  | { kind: 'serve'; lang: Language; setLang?: Language }
  | { kind: 'redirect'; to: string; setLang?: Language };

/** Whether the segments of a path match one of these patterns. */
function createPathTest(patterns: readonly string[]): (segments: readonly string[]) => boolean {
  const lists = patterns.map((pattern) => (pattern === '' ? [] : pattern.split('/')));
  return (segments) =>
    lists.some(
      (parts) =>
        parts.length === segments.length &&
        parts.every((part, index) => part === '*' || part === segments[index]),
    );
}

const isPrefixedPage = createPathTest(PREFIXED_PAGES);
const isUnprefixedPage = createPathTest(UNPREFIXED_PAGES);

/** First segments of the site's own paths, which are never mistaken for a language code. */
const RESERVED_SEGMENTS = new Set(
  [...PREFIXED_PAGES, ...UNPREFIXED_PAGES].map((pattern) => pattern.split('/', 1)[0]),
);

/** The query without `lng`, otherwise unchanged; includes its question mark, or is empty. */
function removeLanguageParameter(search: string): string {
  const rest = search
    .slice(1)
    .split('&')
    // Parse like the server, because a name may be percent-encoded.
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has('lng'));
  return rest.length === 0 ? '' : `?${rest.join('&')}`;
}

/**
 * Resolves a page's address: serves it in a language, or redirects (302) to its canonical form. A redirect always leads
 * to a path on this site that needs no further redirect.
 *
 * @param url the requested absolute address
 * @param cookieLang value of the language cookie, unchecked
 * @param acceptLanguage the Accept-Language header, unchecked
 */
export function resolveRoute(url: URL, cookieLang: string | null, acceptLanguage: string | null): Route {
  const chosen = parseLanguage(url.searchParams.get('lng'));
  const setLang = chosen ? { setLang: chosen } : {};
  const detect = () => detectLanguage({ lng: chosen, cookie: cookieLang, acceptLanguage });

  if (UNROUTED_PREFIXES.some((start) => url.pathname.startsWith(start)))
    return { kind: 'serve', lang: detect() };

  // Rebuilding the path from non-empty segments prevents `//host`, which would redirect to another site.
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const cleanPath = `/${segments.join('/')}`;
  const [first = '', ...rest] = segments;
  const query = removeLanguageParameter(url.search);
  const redirect = (path: string, language: Language | null): Route => ({
    kind: 'redirect',
    to: path + query,
    ...(language ? { setLang: language } : {}),
  });
  const localizePath = (language: Language, page: readonly string[]) => `/${[language, ...page].join('/')}`;

  if (segments.at(-1)?.includes('.')) {
    if (cleanPath === FEED_PATH) return redirect(localizePath(detect(), segments), chosen);
    if (cleanPath !== url.pathname) return { kind: 'redirect', to: cleanPath + url.search };
    return { kind: 'serve', lang: isLanguage(first) ? first : detect() };
  }

  if (isPrefixedPage(segments)) return redirect(localizePath(detect(), segments), chosen);

  if (isUnprefixedPage(segments)) {
    if (cleanPath !== url.pathname) return { kind: 'redirect', to: cleanPath + url.search };
    return { kind: 'serve', lang: detect(), ...setLang };
  }

  const prefix = parseLanguage(first);
  if (prefix && isPrefixedPage(rest)) {
    const target = localizePath(chosen ?? prefix, rest);
    if (chosen || target !== url.pathname) return redirect(target, chosen);
    return { kind: 'serve', lang: prefix };
  }
  if (prefix && isUnprefixedPage(rest)) return redirect(`/${rest.join('/')}`, chosen ?? prefix);

  if (!prefix && !RESERVED_SEGMENTS.has(first)) {
    const looksLikeLanguage = LANGUAGE_LIKE.test(first);
    if (isPrefixedPage(rest) && (rest.length > 0 || looksLikeLanguage)) {
      return redirect(localizePath(chosen ?? DEFAULT_LANGUAGE, rest), chosen);
    }
    if (looksLikeLanguage && isUnprefixedPage(rest))
      return redirect(`/${rest.join('/')}`, chosen ?? DEFAULT_LANGUAGE);
  }

  if (cleanPath !== url.pathname) return { kind: 'redirect', to: cleanPath + url.search };
  return { kind: 'serve', lang: chosen ?? prefix ?? detect(), ...setLang };
}
