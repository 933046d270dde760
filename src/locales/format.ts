import type { Language } from '../config/languages.ts';

/**
 * Regional format of numbers and dates for languages with several. `zh` uses simplified characters. `pt` is
 * Brazilian, as most readers are; it is also what Intl uses for `pt` without a region, so that texts, dates
 * and prices on a page agree.
 */
const REGIONAL: Partial<Record<string, string>> = { zh: 'zh-Hans', pt: 'pt-BR' };

/** The Intl locale of an interface language; other tags are returned unchanged. */
export function getIntlLocale(lang: string): string {
  return REGIONAL[lang] ?? lang;
}

/** Cache of formatters, which are costly to create; one per language and shape. */
const formatters = new Map<string, unknown>();

function getFormatter<F>(
  kind: string,
  lang: string,
  shape: object,
  createFormatter: (locale: string) => F,
): F {
  const key = `${kind} ${lang} ${JSON.stringify(shape)}`;
  const cachedFormatter = formatters.get(key) as F | undefined;
  if (cachedFormatter !== undefined) return cachedFormatter;
  const formatter = createFormatter(getIntlLocale(lang));
  formatters.set(key, formatter);
  return formatter;
}

const getDateFormatter = (lang: string, shape: Intl.DateTimeFormatOptions) =>
  getFormatter('date', lang, shape, (locale) => new Intl.DateTimeFormat(locale, shape));
const getNumberFormatter = (lang: string, shape: Intl.NumberFormatOptions) =>
  getFormatter('number', lang, shape, (locale) => new Intl.NumberFormat(locale, shape));

/** A point in time: a Date, milliseconds since the epoch, or ISO 8601. */
export type DateInput = Date | number | string;

/** Converts to a Date; null if invalid. */
function toDate(moment: DateInput): Date | null {
  const at = moment instanceof Date ? moment : new Date(moment);
  return Number.isNaN(at.getTime()) ? null : at;
}

/**
 * Formats a date: `long` «20 November 2026», `short` «20 Nov 2026», in the language's own order and words.
 * @param zone time zone; `UTC` for dates that are the same everywhere, such as a post's; by default the reader's own
 * @returns an empty string for an invalid date
 */
export function formatDate(
  moment: DateInput,
  lang: Language | string,
  { length = 'long', zone }: { length?: 'long' | 'short'; zone?: string } = {},
): string {
  const at = toDate(moment);
  const shape: Intl.DateTimeFormatOptions = {
    dateStyle: length === 'long' ? 'long' : 'medium',
    ...(zone ? { timeZone: zone } : {}),
  };
  return at ? getDateFormatter(lang, shape).format(at) : '';
}

/** Formats a date without year and a time, for recent events: «20 Nov, 14:05». Empty for an invalid date. */
export function formatDayAndTime(moment: DateInput, lang: Language | string): string {
  const at = toDate(moment);
  const shape = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return at ? getDateFormatter(lang, shape).format(at) : '';
}

/** Up to this distance, a weekday is unambiguous. */
const MAX_WEEKDAY_DISTANCE_MS = 6 * 24 * 60 * 60_000;

/**
 * Formats a time of day, with the weekday if it is not today, or the date if the weekday would be ambiguous.
 * Empty for an invalid date.
 */
export function formatTime(moment: DateInput, lang: Language | string, now: number = Date.now()): string {
  const at = toDate(moment);
  if (!at) return '';
  const today = new Date(now);
  const shape: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
  if (at.toDateString() !== today.toDateString()) {
    if (Math.abs(at.getTime() - now) <= MAX_WEEKDAY_DISTANCE_MS) {
      shape.weekday = 'long';
    } else {
      shape.day = 'numeric';
      shape.month = 'long';
      if (at.getFullYear() !== today.getFullYear()) shape.year = 'numeric';
    }
  }
  return getDateFormatter(lang, shape).format(at);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Older than this, the date is clearer than a number of days. */
const MAX_RELATIVE_MS = 7 * DAY_MS;

/**
 * Formats how long ago a time was: «now», «5 min. ago», «3 hr. ago», «yesterday», «4 days ago», and from a week on the short date.
 * A time in the future counts as now, because the device's clock may be behind. Empty for an invalid date.
 */
export function formatRelativeTime(
  moment: DateInput,
  lang: Language | string,
  now: number = Date.now(),
): string {
  const at = toDate(moment);
  if (!at) return '';
  const age = Math.max(0, now - at.getTime());
  if (age >= MAX_RELATIVE_MS) {
    const isThisYear = at.getFullYear() === new Date(now).getFullYear();
    const day = { day: 'numeric', month: 'short' } as const;
    return getDateFormatter(lang, isThisYear ? day : { ...day, year: 'numeric' }).format(at);
  }
  const formatter = getFormatter(
    'relative',
    lang,
    {},
    (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
  );
  if (age < MINUTE_MS) return formatter.format(0, 'second');
  if (age < HOUR_MS) return formatter.format(-Math.floor(age / MINUTE_MS), 'minute');
  if (age < DAY_MS) return formatter.format(-Math.floor(age / HOUR_MS), 'hour');
  return formatter.format(-Math.floor(age / DAY_MS), 'day');
}

/** Formats a number with the language's separators: 12,000 · 12.000 · 12 000. At most two decimals. */
export function formatNumber(value: number, lang: Language | string): string {
  return getNumberFormatter(lang, { maximumFractionDigits: 2 }).format(value);
}

/** Formats US dollars, given in cents; whole dollars without decimals. */
export function formatMoney(cents: number, lang: Language | string): string {
  const shape = { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' } as const;
  return getNumberFormatter(lang, shape).format(cents / 100);
}

/** Right-to-left letters and the right-to-left mark. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const ISOLATE = '\u2068';
const ISOLATE_END = '\u2069';

/**
 * Isolates a right-to-left text for use within a sentence, so that the order of the surrounding words stays correct.
 * Uses characters instead of elements, so that it works in labels and titles too.
 */
export function isolateText(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? ISOLATE + text + ISOLATE_END : text;
}

/** The name of a language in another language; the code itself if unknown. */
export function getLanguageName(language: string, lang: Language | string): string {
  try {
    return new Intl.DisplayNames([getIntlLocale(lang)], { type: 'language' }).of(language) ?? language;
  } catch {
    // Not a valid language code.
    return language;
  }
}

/** Formats a list: «Mira, Teodora and Loam». */
export function formatList(items: readonly string[], lang: Language | string): string {
  return getFormatter('list', lang, {}, (locale) => new Intl.ListFormat(locale)).format(items);
}

/**
 * i18next's formatter. Numbers in texts are formatted for the language without extra markup; values that must stay
 * unchanged, such as a status code, are passed as strings. Strings are isolated, because users may have written them.
 */
export const textFormatter = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format: string | undefined, lang: string | undefined): string =>
    typeof value === 'number'
      ? formatNumber(value, lang ?? 'en')
      : typeof value === 'string'
        ? isolateText(value)
        : (value as string),
} as const;

/** Languages without spaces between sentences and with a full-width colon. */
const FULL_WIDTH_LANGUAGES: ReadonlySet<string> = new Set(['ja', 'zh']);

/** Joins sentences in the language's way. */
export function joinSentences(sentences: readonly string[], lang: string): string {
  return sentences.join(FULL_WIDTH_LANGUAGES.has(lang) ? '' : ' ');
}

/** A speaker's name with the language's colon and spacing. */
export function formatSpeakerLabel(who: string, lang: string): string {
  const name = isolateText(who);
  if (FULL_WIDTH_LANGUAGES.has(lang)) return `${name}：`;
  return lang === 'fr' ? `${name}\u00a0: ` : `${name}: `;
}
