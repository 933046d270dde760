import { DEFAULT_LANGUAGE } from '../../config/languages.ts';
import { getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { parseLanguage } from '../../locales/detect.ts';
import { resolveLanguage } from '../../locales/resolve-language.ts';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_MAX_AGE_SECONDS } from '../../locales/language-cookie.ts';

/** Local storage keys: the reader's choice (docs/product.md), and a language for the current visit only. */
const LANGUAGE_KEY = 'language';
const VISIT_LANGUAGE_KEY = 'language_of_visit';

function readCookie(): string | null {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${LANGUAGE_COOKIE}=`));
  return pair?.slice(LANGUAGE_COOKIE.length + 1) ?? null;
}

function writeCookie(language: string, isPersistent: boolean): void {
  const maxAge = isPersistent ? `; Max-Age=${LANGUAGE_COOKIE_MAX_AGE_SECONDS}` : '';
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; SameSite=Lax${maxAge}${secure}`;
}

function readKey(key: string): string | null {
  try {
    return getDeviceStorage()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

function writeKey(key: string, language: string | null): void {
  try {
    if (language === null) getDeviceStorage()?.removeItem(key);
    else getDeviceStorage()?.setItem(key, language);
  } catch {
    // Storage is blocked: only the cookie keeps the language.
  }
}

/** The server adds the language with a redirect, which the navigation timing records. */
function wasRedirected(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return (navigation?.redirectCount ?? 0) > 0;
}

/**
 * Synchronizes the language between cookie, storage and address, and reloads the page if its cookie was lost.
 *
 * @param account language of the signed-in user, once known
 * @param canRedirect false if the page is already in use; the next page then follows
 */
export function syncLanguage(account: string | null = null, canRedirect = true): void {
  const [, first = '', ...rest] = location.pathname.split('/');
  const hasPrefix = parseLanguage(first) !== null;
  const step = resolveLanguage({
    page: parseLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE,
    hasPrefix,
    wasRedirected: wasRedirected(),
    cookie: readCookie(),
    visit: readKey(VISIT_LANGUAGE_KEY),
    stored: readKey(LANGUAGE_KEY),
    account,
  });
  if (step.cookie) writeCookie(step.cookie.language, step.cookie.isPersistent);
  if (step.stored) writeKey(LANGUAGE_KEY, step.stored);
  if (step.visit !== undefined) writeKey(VISIT_LANGUAGE_KEY, step.visit);
  // Without a stored cookie, the same page would load again.
  if (!step.redirectTo || !canRedirect || readCookie() !== step.redirectTo) return;
  if (!hasPrefix) location.reload();
  else location.replace(`${['', step.redirectTo, ...rest].join('/')}${location.search}${location.hash}`);
}

/** Language setup of every page, with or without the shell. */
export function setUpLanguage(): void {
  syncLanguage();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a[hreflang]')) {
    link.addEventListener('click', () => {
      writeKey(LANGUAGE_KEY, link.hreflang);
      writeKey(VISIT_LANGUAGE_KEY, null);
    });
  }
}
