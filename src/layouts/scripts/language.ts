import { DEFAULT_LANGUAGE } from '../../config/languages.ts';
import { deviceStorage } from '../../islands/shared/device-storage.ts';
import { knownLanguage } from '../../locales/detect.ts';
import { languageStep } from '../../locales/kept-language.ts';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_SECONDS } from '../../locales/language-cookie.ts';

/** In the browser's storage: the reader's choice (SPEC section 3), and the language kept for a visit only. */
const STORED_AS = 'language';
const VISIT_AS = 'language_of_visit';

function readCookie(): string | null {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${LANGUAGE_COOKIE}=`));
  return pair?.slice(LANGUAGE_COOKIE.length + 1) ?? null;
}

function writeCookie(language: string, lasting: boolean): void {
  const age = lasting ? `; Max-Age=${LANGUAGE_COOKIE_SECONDS}` : '';
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; SameSite=Lax${age}${secure}`;
}

function read(key: string): string | null {
  try {
    return deviceStorage()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

function write(key: string, language: string | null): void {
  try {
    if (language === null) deviceStorage()?.removeItem(key);
    else deviceStorage()?.setItem(key, language);
  } catch {
    // Storage is closed: the cookie alone keeps the language.
  }
}

/** The front door sends on with a redirect, which a navigation remembers. */
function wasSentHere(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return (navigation?.redirectCount ?? 0) > 0;
}

/**
 * Keeps the reader's language where it is looked for, and shows the page in it when the cookie got lost.
 *
 * @param account the language of whoever is signed in, once that is known
 * @param mayShow false where the page is in use already: then the next one follows
 */
export function keepLanguage(account: string | null = null, mayShow = true): void {
  const [, first = '', ...rest] = location.pathname.split('/');
  const inAddress = knownLanguage(first) !== null;
  const step = languageStep({
    page: knownLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE,
    inAddress,
    sentHere: wasSentHere(),
    cookie: readCookie(),
    visit: read(VISIT_AS),
    stored: read(STORED_AS),
    account,
  });
  if (step.cookie) writeCookie(step.cookie.language, step.cookie.lasting);
  if (step.stored) write(STORED_AS, step.stored);
  if (step.visit !== undefined) write(VISIT_AS, step.visit);
  // Where no cookie is kept, the same page would come again.
  if (!step.show || !mayShow || readCookie() !== step.show) return;
  if (!inAddress) location.reload();
  else location.replace(`${['', step.show, ...rest].join('/')}${location.search}${location.hash}`);
}

/** What every page does for its reader's language, with the shell around it or without. */
export function rememberLanguage(): void {
  keepLanguage();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a[hreflang]')) {
    link.addEventListener('click', () => {
      write(STORED_AS, link.hreflang);
      write(VISIT_AS, null);
    });
  }
}
