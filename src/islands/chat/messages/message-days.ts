import { getIntlLocale } from '../../../locales/format.ts';

/** The day of a moment on the reader's own calendar, as a key; null when the time cannot be read. */
function getDayKey(time: string | number): string | null {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? null : `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;
}

/**
 * Tells whether a day begins with a message, so that a divider belongs above it. What begins today needs none.
 * @param time of the message, UTC ISO 8601
 * @param before time of the message before it; null when it is the first one shown
 * @param now milliseconds since the epoch
 */
export function isFirstOfDay(time: string, before: string | null, now: number): boolean {
  const day = getDayKey(time);
  if (day === null) return false;
  return day !== (before === null ? getDayKey(now) : getDayKey(before));
}

/**
 * A day as people name it: «today» and «yesterday» in the reader's language, else its date, with the year when it is
 * another one.
 * @param time UTC ISO 8601
 * @param now milliseconds since the epoch
 */
export function formatMessageDay(time: string, lang: string, now: number): string {
  const day = getDayKey(time);
  // By the calendar: a day of the clock's change is not 24 hours long.
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

/** The time of day of a moment; empty when it cannot be read. */
export function formatMessageTime(time: string, lang: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  return new Intl.DateTimeFormat(getIntlLocale(lang), { hour: 'numeric', minute: '2-digit' }).format(at);
}
