import { getIntlLocale } from './format.ts';

// Kept apart from format.ts, which every island loads, because few pages need these.

/** An amount in cents with its currency, in the language's format; always with decimals. */
export function formatAmount(cents: number, currency: string, lang: string): string {
  return new Intl.NumberFormat(getIntlLocale(lang), { style: 'currency', currency }).format(cents / 100);
}

/** A fraction from 0 to 1 as a percentage: «15%», «15 %». @param decimals most decimal places */
export function formatShare(share: number, lang: string, decimals = 0): string {
  const shape = { style: 'percent', maximumFractionDigits: decimals } as const;
  return new Intl.NumberFormat(getIntlLocale(lang), shape).format(share);
}

/** A size in bytes as megabytes: «1.2 MB». */
export function formatMegabytes(bytes: number, lang: string): string {
  const shape = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(getIntlLocale(lang), shape).format(bytes / 1_000_000);
}
