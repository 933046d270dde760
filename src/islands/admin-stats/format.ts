import type { StatDay } from '../../features/stats/contract.ts';
import { formatAmount } from '../../locales/format-amounts.ts';
import { formatDate, formatNumber, getIntlLocale } from '../../locales/format.ts';

/** Metrics per day, in the order of the table. */
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

/** Formats a UTC day. */
export const formatDay = (day: string, lang: string): string =>
  formatDate(day, lang, { length: 'short', zone: 'UTC' });

export const formatUsd = (cents: number, lang: string): string => formatAmount(cents, 'USD', lang);

/** Formats a metric's value; a dash if there was no count. */
export function formatMetric(measure: DailyMetric, value: number | null, lang: string): string {
  if (value === null) return '–';
  return measure === 'revenue_cents' ? formatUsd(value, lang) : formatNumber(value, lang);
}

/** Formats bytes in the largest fitting decimal unit, such as «1.2 GB». */
export function formatBytes(bytes: number, lang: string): string {
  const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3) - 1);
  return new Intl.NumberFormat(getIntlLocale(lang), {
    style: 'unit',
    unit: units[step] ?? 'kilobyte',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** (step + 1));
}

/** Formats a fraction as a percentage with one decimal. */
export const formatPercent = (share: number, lang: string): string =>
  new Intl.NumberFormat(getIntlLocale(lang), { style: 'percent', maximumFractionDigits: 1 }).format(share);

/** Formats a duration: milliseconds below one second, seconds above. */
export function formatDuration(ms: number, lang: string): string {
  const [unit, value] = ms < 1000 ? (['millisecond', ms] as const) : (['second', ms / 1000] as const);
  return new Intl.NumberFormat(getIntlLocale(lang), { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    value,
  );
}

/** A metric's highest value and its day; null if it never exceeded zero. */
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
