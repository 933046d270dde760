import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../config.ts';
import {
  COUNTRIES_OF,
  EMERGENCY,
  EMERGENCY_ANYWHERE,
  EMERGENCY_ELSEWHERE,
  EMERGENCY_NAMES,
  LINES,
  type Line,
} from './helplines-data.ts';

/** Somebody to talk to, by phone, by message or on a page. */
export interface Helpline {
  name: string;
  /** As it is dialled in the country; null where they take no calls. */
  phone: string | null;
  /** The number to write to, and the word to write where one is asked for; null where they take no messages. */
  text: string | null;
  /** Their page; null where there is none. */
  url: string | null;
  hours: 'always' | 'limited';
}

/** Helplines of some 130 countries, for everybody whose country is unknown or has none here. */
export const DIRECTORY: Helpline = {
  name: 'findahelpline.com',
  phone: null,
  text: null,
  url: 'https://findahelpline.com',
  hours: 'always',
};

/** Of how many countries lines are named to somebody whose country is unknown: a card is no phone book. */
const COUNTRIES_NAMED = 3;

const helpline = ([name, phone, text, url, hours]: Line): Helpline => ({ name, phone, text, url, hours });
const languageOf = (lang: string): Language => LANGUAGES.find((known) => known === lang) ?? DEFAULT_LANGUAGE;
const isCountry = (country: string | null): country is string =>
  // Cloudflare says XX where it does not know, and T1 of the Tor network.
  country !== null && /^[A-Z]{2}$/.test(country) && country !== 'XX';

const called = (name: string, phone: string): Helpline => ({
  name,
  phone,
  text: null,
  url: null,
  hours: 'always',
});
const emergency = (country: string, lang: Language): Helpline =>
  called(EMERGENCY_NAMES[lang], EMERGENCY[country] ?? EMERGENCY_ELSEWHERE);

/**
 * The lines of a country, its emergency number and the directory. Where the country is unknown, the first line of each
 * country where the language is mostly spoken, with the country's name, and 112, said to be for many countries. Never empty.
 * @param country ISO 3166-1 alpha-2, as Cloudflare tells it; null for unknown
 */
export function helplinesFor(country: string | null, lang: string): Helpline[] {
  const language = languageOf(lang);
  const known = country?.toUpperCase() ?? null;
  if (isCountry(known)) {
    return [...(LINES[known] ?? []).map(helpline), emergency(known, language), DIRECTORY];
  }
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const named = COUNTRIES_OF[language].flatMap((code) =>
    (LINES[code] ?? []).slice(0, 1).map((line) => {
      const of = helpline(line);
      return { ...of, name: `${of.name} (${names.of(code) ?? code})` };
    }),
  );
  const anywhere = called(EMERGENCY_ANYWHERE[language], EMERGENCY_ELSEWHERE);
  return [...named.slice(0, COUNTRIES_NAMED), anywhere, DIRECTORY];
}

/** The lines of every country where a language is mostly spoken, for a page that names them all. */
export function helplinesOfLanguage(lang: string): { country: string; lines: Helpline[] }[] {
  const language = languageOf(lang);
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return COUNTRIES_OF[language].map((code) => ({
    country: names.of(code) ?? code,
    lines: [...(LINES[code] ?? []).map(helpline), emergency(code, language)],
  }));
}
