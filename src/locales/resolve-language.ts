import type { Language } from '../config/languages.ts';
import { parseLanguage } from './detect.ts';

/** What a page in the browser knows about the reader's language. Codes are unchecked. */
export interface LanguageHints {
  /** The language that the page is written in. */
  page: Language;
  /** The address names that language: `/de/discover`. */
  hasPrefix: boolean;
  /** The front door sent the reader to this address from one that named no language, or another. */
  wasRedirected: boolean;
  /** The language cookie; null where there is none. */
  cookie: string | null;
  /** The language that this device keeps for a visit only. */
  visit: string | null;
  /** The reader's choice as this device keeps it. */
  stored: string | null;
  /** The language of the account, when someone is signed in and it has one. */
  account: string | null;
}

/** What to do about it; what is not named stays as it is. */
export interface LanguageUpdate {
  /** Write the cookie: for a year, or for this visit. */
  cookie?: { language: Language; isPersistent: boolean };
  /** Keep the choice on this device. */
  stored?: Language;
  /** Remember that the cookie holds no choice but the language of this visit; null forgets that. */
  visit?: Language | null;
  /** Show this page in another language, once the cookie is known to have been kept. */
  redirectTo?: Language;
}

/**
 * Keeps cookie, device and account at one language, and finds a lost choice again.
 *
 * A choice in the cookie counts most, then the device's copy of it, then the account's language. Without any, the
 * language of the first page is kept for this visit, so that pages whose address names none follow it. A page whose
 * address was asked for in a language stays in it.
 */
export function resolveLanguage(hints: LanguageHints): LanguageUpdate {
  const cookie = parseLanguage(hints.cookie);
  const stored = parseLanguage(hints.stored);
  if (cookie !== null && cookie !== parseLanguage(hints.visit))
    return cookie === stored ? {} : { stored: cookie };

  const saved = stored ?? parseLanguage(hints.account);
  if (saved === null) {
    return cookie === null
      ? { cookie: { language: hints.page, isPersistent: false }, visit: hints.page }
      : {};
  }
  const shouldRedirect = saved !== hints.page && (!hints.hasPrefix || hints.wasRedirected);
  return {
    cookie: { language: saved, isPersistent: true },
    stored: saved,
    visit: null,
    ...(shouldRedirect ? { redirectTo: saved } : {}),
  };
}
