import type { Language } from '../config/languages.ts';
import { parseLanguage } from './detect.ts';

/** What the browser knows about the reader's language. Codes are unchecked. */
export interface LanguageHints {
  /** Language of the page's text. */
  page: Language;
  /** Whether the address contains the language: `/de/discover`. */
  hasPrefix: boolean;
  /** Whether the server redirected the reader here from an address without a language or with another one. */
  wasRedirected: boolean;
  /** The language cookie; null for none. */
  cookie: string | null;
  /** The language stored on this device for the current visit only. */
  visit: string | null;
  /** The reader's choice stored on this device. */
  stored: string | null;
  /** The signed-in user's language; null for none. */
  account: string | null;
}

/** The changes to make; a missing property means no change. */
export interface LanguageUpdate {
  /** Write the cookie, for a year or for this visit. */
  cookie?: { language: Language; isPersistent: boolean };
  /** Store the choice on this device. */
  stored?: Language;
  /** Mark the cookie's language as that of this visit, not a choice; null removes the mark. */
  visit?: Language | null;
  /** Show the page in another language, once the cookie is known to be stored. */
  redirectTo?: Language;
}

/**
 * Keeps the language in cookie, device and account in sync, and restores a lost choice.
 *
 * The order is: a choice in the cookie, the device's copy of it, the account's language. Without any, the first page's
 * language is kept for this visit, so that pages without a language in their address use it too. A page whose address
 * contains a language keeps it if the reader requested that address.
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
