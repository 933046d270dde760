import { getIntlLocale } from '../../../locales/format.ts';

/** A key for the day in the user's time zone; null for an invalid time. */
function getDayKey(time: string | number): string | null {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? null : `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;
}

/**
 * Whether a message is the first of its day, so that a divider belongs above it. When the first loaded message is from
 * today, it gets none.
 * @param time of the message, UTC ISO 8601
 * @param before time of the previous message; null for the first loaded message
 * @param now milliseconds since the epoch
 */
export function isFirstOfDay(time: string, before: string | null, now: number): boolean {
  const day = getDayKey(time);
  if (day === null) return false;
  return day !== (before === null ? getDayKey(now) : getDayKey(before));
}

/**
 * Formats a day: "today" or "yesterday" in the user's language, else the date, with the year if it is not the current
 * one.
 * @param time UTC ISO 8601
 * @param now milliseconds since the epoch
 */
export function formatMessageDay(time: string, lang: string, now: number): string {
  const day = getDayKey(time);
  // Use calendar days: the day of a clock change does not have 24 hours.
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === getDayKey(now) || day === getDayKey(yesterday.getTime())) {
    const days = day === getDayKey(now) ? 0 : -1;
    return new Intl.RelativeTimeFormat(getIntlLocale(lang), { numeric: 'auto' }).format(days, 'day');
  }
  const at = new Date(time);
  return new Intl.DateTimeFormat(getIntlLocale(lang), {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(at.getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' }),
  }).format(at);
}

/** Formats the time of day; empty for an invalid time. */
export function formatMessageTime(time: string, lang: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  return new Intl.DateTimeFormat(getIntlLocale(lang), { hour: 'numeric', minute: '2-digit' }).format(at);
}
