import type { StatDay } from '../../features/stats/contract.ts';
import { formatAmount } from '../../locales/format-amounts.ts';
import { formatDate, formatNumber, getIntlLocale } from '../../locales/format.ts';

/** What is told of each day, in the order of the table. */
export const DAILY_METRICS = [
  'messages',
  'active',
  'active_week',
  'conversations',
  'accounts_new',
  'guests_new',
  'members',
  'revenue_cents',
  'points_spent',
  'referrals',
] as const satisfies readonly (keyof StatDay)[];
export type DailyMetric = (typeof DAILY_METRICS)[number];

/** A day, which is the same everywhere. */
export const formatDay = (day: string, lang: string): string =>
  formatDate(day, lang, { length: 'short', zone: 'UTC' });

export const formatUsd = (cents: number, lang: string): string => formatAmount(cents, 'USD', lang);

/** A value of a measure; a dash where nobody counted. */
export function formatMetric(measure: DailyMetric, value: number | null, lang: string): string {
  if (value === null) return '–';
  return measure === 'revenue_cents' ? formatUsd(value, lang) : formatNumber(value, lang);
}

/** So many bytes in the unit that keeps them short: «1.2 GB». */
export function formatBytes(bytes: number, lang: string): string {
  const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3) - 1);
  return new Intl.NumberFormat(getIntlLocale(lang), {
    style: 'unit',
    unit: units[step] ?? 'kilobyte',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** (step + 1));
}

/** A part of a whole to a tenth of a per cent. */
export const formatPercent = (share: number, lang: string): string =>
  new Intl.NumberFormat(getIntlLocale(lang), { style: 'percent', maximumFractionDigits: 1 }).format(share);

/** A time to wait: milliseconds below a second, seconds from there on. */
export function formatDuration(ms: number, lang: string): string {
  const [unit, value] = ms < 1000 ? (['millisecond', ms] as const) : (['second', ms / 1000] as const);
  return new Intl.NumberFormat(getIntlLocale(lang), { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    value,
  );
}

/** What a measure was at its most, and on which day; null where it was never more than nothing. */
export function findMaximum(
  days: readonly StatDay[],
  measure: DailyMetric,
): { value: number; day: string } | null {
  let maximum: { value: number; day: string } | null = null;
  for (const one of days) {
    const value = one[measure] ?? 0;
    if (value > (maximum?.value ?? 0)) maximum = { value, day: one.day };
  }
  return maximum;
}
