import file from '../../../data/helplines.json' with { type: 'json' };
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../config/languages.ts';
import type { HelplineEntry, HelplinesFile } from './helplines-schema.ts';

/** A helpline, reachable by phone, by text message or on a web page. */
export interface Helpline {
  name: string;
  /** The displayed number, with the key to press afterwards: "119 (8)"; null if it takes no calls. */
  phone: string | null;
  /** The number alone. Like the three fields below, absent in copies that a device cached before it existed. */
  phone_number?: string | null;
  /** The key to press once the call is answered. */
  phone_then?: string | null;
  /** The displayed number for text messages, with the word to text: "741741 (HOME)"; null if it takes none. */
  text: string | null;
  /** That number alone. */
  text_number?: string | null;
  /** The word to text, if the helpline asks for one. */
  text_word?: string | null;
  /** Its web page, or null. */
  url: string | null;
  hours: 'always' | 'limited';
}

/** A directory of helplines in some 130 countries, for users whose country is unknown or has no helpline here. */
export const DIRECTORY: Helpline = {
  name: 'findahelpline.com',
  phone: null,
  text: null,
  url: 'https://findahelpline.com',
  hours: 'always',
};

/** Countries shown for an unknown country, one helpline each; a longer card would not be read. */
const MAX_COUNTRIES = 3;

const { lines, emergency, countriesByLanguage } = file as HelplinesFile;

const linesByCountry = new Map<string, Helpline[]>();
for (const line of lines) {
  const others = linesByCountry.get(line.country) ?? [];
  linesByCountry.set(line.country, [...others, toHelpline(line)]);
}
const getLines = (country: string): Helpline[] => linesByCountry.get(country) ?? [];

function toHelpline({ name, phone, then, text, url, hours }: HelplineEntry): Helpline {
  const withExtra = (number: string, extra: string | null) =>
    extra === null ? number : `${number} (${extra})`;
  return {
    name,
    phone: phone === null ? null : withExtra(phone, then),
    phone_number: phone,
    phone_then: then,
    text: text === null ? null : withExtra(text.number, text.word),
    text_number: text?.number ?? null,
    text_word: text?.word ?? null,
    url,
    hours,
  };
}

const toLanguage = (lang: string): Language => LANGUAGES.find((known) => known === lang) ?? DEFAULT_LANGUAGE;
const isCountry = (country: string | null): country is string =>
  // Cloudflare reports XX for an unknown country, and T1 for the Tor network.
  country !== null && /^[A-Z]{2}$/.test(country) && country !== 'XX';

const toEmergencyLine = (name: string, phone: string): Helpline => ({
  ...{ name, phone, phone_number: phone, phone_then: null },
  ...{ text: null, text_number: null, text_word: null, url: null, hours: 'always' },
});
const getEmergencyLine = (country: string, lang: Language): Helpline =>
  toEmergencyLine(emergency.names[lang], emergency.numbers[country] ?? emergency.elsewhere);

/**
 * Returns the helplines of a country, its emergency number and the directory. For an unknown country, returns the first
 * helpline of up to three countries where the language is mainly spoken, labelled with the country, and 112 with a label
 * saying that it works in many countries. Never empty.
 * @param country ISO 3166-1 alpha-2, as Cloudflare reports it; null if unknown
 */
export function getHelplines(country: string | null, lang: string): Helpline[] {
  const language = toLanguage(lang);
  const known = country?.toUpperCase() ?? null;
  if (isCountry(known)) return [...getLines(known), getEmergencyLine(known, language), DIRECTORY];
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const named = countriesByLanguage[language].flatMap((code) =>
    getLines(code)
      .slice(0, 1)
      .map((line) => ({ ...line, name: `${line.name} (${names.of(code) ?? code})` })),
  );
  const anywhere = toEmergencyLine(emergency.namesAnywhere[language], emergency.elsewhere);
  return [...named.slice(0, MAX_COUNTRIES), anywhere, DIRECTORY];
}

/** Returns the helplines of every country where a language is mainly spoken, for the page that lists them all. */
export function listHelplinesByLanguage(lang: string): { country: string; lines: Helpline[] }[] {
  const language = toLanguage(lang);
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return countriesByLanguage[language].map((code) => ({
    country: names.of(code) ?? code,
    lines: [...getLines(code), getEmergencyLine(code, language)],
  }));
}
