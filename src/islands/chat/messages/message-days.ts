import { getIntlLocale } from '../../../locales/format.ts';

const DAY_MS = 86_400_000;

/** Formatters by locale and options: creating one takes long, and every message needs two. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** @param timeZone the browser's own if empty or absent */
function getFormatter(
  locale: string,
  timeZone: string | undefined,
  shape: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const options = timeZone ? { ...shape, timeZone } : shape;
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter;
}

/** The calendar day in a time zone, in days since 1970; null for an invalid time. */
function getDay(time: string | number, timeZone: string | undefined): number | null {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return null;
  // Swedish dates are ISO 8601.
  const shape = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return Date.parse(getFormatter('sv', timeZone, shape).format(at)) / DAY_MS;
}

/**
 * Whether a message is the first of its day, so that a divider belongs above it. When the first loaded message is from
 * today, it gets none.
 * @param time of the message, UTC ISO 8601
 * @param before time of the previous message; null for the first loaded message
 * @param now milliseconds since the epoch
 */
export function isFirstOfDay(time: string, before: string | null, now: number, timeZone?: string): boolean {
  const day = getDay(time, timeZone);
  if (day === null) return false;
  return day !== getDay(before ?? now, timeZone);
}

/**
 * Formats a day: "today" or "yesterday" in the user's language, else the date, with the year if it is not the current
 * one.
 * @param time UTC ISO 8601
 * @param now milliseconds since the epoch
 */
export function formatMessageDay(time: string, lang: string, now: number, timeZone?: string): string {
  const locale = getIntlLocale(lang);
  // Compare calendar days: the day of a clock change does not have 24 hours.
  const daysAgo = (getDay(now, timeZone) ?? NaN) - (getDay(time, timeZone) ?? NaN);
  if (daysAgo === 0 || daysAgo === 1)
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-daysAgo, 'day');
  const getYear = (at: string | number) =>
    getFormatter('sv', timeZone, { year: 'numeric' }).format(new Date(at));
  return getFormatter(locale, timeZone, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(getYear(time) === getYear(now) ? {} : { year: 'numeric' }),
  }).format(new Date(time));
}

/** Formats the time of day; empty for an invalid time. */
export function formatMessageTime(time: string, lang: string, timeZone?: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  return getFormatter(getIntlLocale(lang), timeZone, { hour: 'numeric', minute: '2-digit' }).format(at);
}
