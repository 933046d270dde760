import type { Language } from '../config/languages.ts';
import { knownLanguage } from './detect.ts';

/** What a page in the browser knows about the reader's language. Codes are unchecked. */
export interface LanguageSigns {
  /** The language that the page is written in. */
  page: Language;
  /** The address names that language: `/de/discover`. */
  inAddress: boolean;
  /** The front door sent the reader to this address from one that named no language, or another. */
  sentHere: boolean;
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
export interface LanguageStep {
  /** Write the cookie: for a year, or for this visit. */
  cookie?: { language: Language; lasting: boolean };
  /** Keep the choice on this device. */
  stored?: Language;
  /** Remember that the cookie holds no choice but the language of this visit; null forgets that. */
  visit?: Language | null;
  /** Show this page in another language, once the cookie is known to have been kept. */
  show?: Language;
}

/**
 * Keeps cookie, device and account at one language, and finds a lost choice again.
 *
 * A choice in the cookie counts most, then the device's copy of it, then the account's language. Without any, the
 * language of the first page is kept for this visit, so that pages whose address names none follow it. A page whose
 * address was asked for in a language stays in it.
 */
export function languageStep(signs: LanguageSigns): LanguageStep {
  const cookie = knownLanguage(signs.cookie);
  const stored = knownLanguage(signs.stored);
  if (cookie !== null && cookie !== knownLanguage(signs.visit))
    return cookie === stored ? {} : { stored: cookie };

  const saved = stored ?? knownLanguage(signs.account);
  if (saved === null) {
    return cookie === null ? { cookie: { language: signs.page, lasting: false }, visit: signs.page } : {};
  }
  const follows = saved !== signs.page && (!signs.inAddress || signs.sentHere);
  return {
    cookie: { language: saved, lasting: true },
    stored: saved,
    visit: null,
    ...(follows ? { show: saved } : {}),
  };
}
