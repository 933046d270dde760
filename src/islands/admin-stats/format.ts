import type { StatDay } from '../../features/stats/contract.ts';
import { formatAmount } from '../../locales/format-amounts.ts';
import { formatDate, formatNumber, intlLocale } from '../../locales/format.ts';

/** What is told of each day, in the order of the table. */
export const MEASURES = [
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
export type Measure = (typeof MEASURES)[number];

/** A day, which is the same everywhere. */
export const tellDay = (day: string, lang: string): string =>
  formatDate(day, lang, { length: 'short', zone: 'UTC' });

export const tellMoney = (cents: number, lang: string): string => formatAmount(cents, 'USD', lang);

/** A value of a measure; a dash where nobody counted. */
export function tellValue(measure: Measure, value: number | null, lang: string): string {
  if (value === null) return '–';
  return measure === 'revenue_cents' ? tellMoney(value, lang) : formatNumber(value, lang);
}

/** So many bytes in the unit that keeps them short: «1.2 GB». */
export function tellBytes(bytes: number, lang: string): string {
  const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3) - 1);
  return new Intl.NumberFormat(intlLocale(lang), {
    style: 'unit',
    unit: units[step] ?? 'kilobyte',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** (step + 1));
}

/** A part of a whole to a tenth of a per cent. */
export const tellShare = (share: number, lang: string): string =>
  new Intl.NumberFormat(intlLocale(lang), { style: 'percent', maximumFractionDigits: 1 }).format(share);

/** A time to wait: milliseconds below a second, seconds from there on. */
export function tellWait(ms: number, lang: string): string {
  const [unit, value] = ms < 1000 ? (['millisecond', ms] as const) : (['second', ms / 1000] as const);
  return new Intl.NumberFormat(intlLocale(lang), { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    value,
  );
}

/** What a measure was at its most, and on which day; null where it was never more than nothing. */
export function mostOf(days: readonly StatDay[], measure: Measure): { value: number; day: string } | null {
  let most: { value: number; day: string } | null = null;
  for (const one of days) {
    const value = one[measure] ?? 0;
    if (value > (most?.value ?? 0)) most = { value, day: one.day };
  }
  return most;
}
