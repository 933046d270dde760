import type { Language } from '../config/languages.ts';

/**
 * The regional form that numbers and dates are written in, where a language has several. `zh` is written in simplified
 * characters here. `pt` is Brazilian: most readers of Portuguese are, and it is what `pt` means to the platform when no
 * region is named, so that texts, dates and prices on one page agree.
 */
const REGIONAL: Partial<Record<string, string>> = { zh: 'zh-Hans', pt: 'pt-BR' };

/** The tag that Intl gets for an interface language; other tags pass as they are. */
export function getIntlLocale(lang: string): string {
  return REGIONAL[lang] ?? lang;
}

/** Formatters are costly to make and the same for everybody: one for each language and shape. */
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

/** A moment: a Date, milliseconds since the epoch, or ISO 8601. */
export type DateInput = Date | number | string;

/** The moment as a Date, or null when it is none. */
function toDate(moment: DateInput): Date | null {
  const at = moment instanceof Date ? moment : new Date(moment);
  return Number.isNaN(at.getTime()) ? null : at;
}

/**
 * A day: `long` «20 November 2026», `short` «20 Nov 2026», in the language's own order and words.
 * @param zone a time zone; `UTC` for days that are the same everywhere, such as a post's; by default the reader's own
 * @returns an empty string for what is no moment
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

/** A day without its year and a time of day, for lists of recent things: «20 Nov, 14:05». Empty for no moment. */
export function formatDayAndTime(moment: DateInput, lang: Language | string): string {
  const at = toDate(moment);
  const shape = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return at ? getDateFormatter(lang, shape).format(at) : '';
}

/** So many days ahead a weekday still names one day alone. */
const MAX_WEEKDAY_DISTANCE_MS = 6 * 24 * 60 * 60_000;

/**
 * A time of day as the language tells it, with the weekday when it is not today's, or with the day when a weekday could
 * be taken for another one. Empty for no moment.
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

/** A number with the language's marks: 12,000 · 12.000 · 12 000. At most two decimals. */
export function formatNumber(value: number, lang: Language | string): string {
  return getNumberFormatter(lang, { maximumFractionDigits: 2 }).format(value);
}

/** An amount of US dollars, given in cents; whole dollars come without decimals. */
export function formatMoney(cents: number, lang: Language | string): string {
  const shape = { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' } as const;
  return getNumberFormatter(lang, shape).format(cents / 100);
}

/** Letters that are written from right to left, and the marks that stand for one. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const ISOLATE = '\u2068';
const ISOLATE_END = '\u2069';

/**
 * A text as it is put into a sentence: one that is written from right to left by itself, so that the words around it
 * stay in their order, also in labels and titles, which hold no elements.
 */
export function isolateText(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? ISOLATE + text + ISOLATE_END : text;
}

/** What a language is called in another one; its own name where nobody knows it. */
export function getLanguageName(language: string, lang: Language | string): string {
  try {
    return new Intl.DisplayNames([getIntlLocale(lang)], { type: 'language' }).of(language) ?? language;
  } catch {
    // Something that is no language.
    return language;
  }
}

/** A list as the language writes it: «Mira, Teodora and Loam». */
export function formatList(items: readonly string[], lang: Language | string): string {
  return getFormatter('list', lang, {}, (locale) => new Intl.ListFormat(locale)).format(items);
}

/**
 * i18next's formatter: a number that is put into a text is written as the language writes numbers, without a word
 * about it in the text. What must stay as it is, such as a status code, is passed as a string. Whoever wrote a string,
 * it keeps to its place in the sentence.
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
