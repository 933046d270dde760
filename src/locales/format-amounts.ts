import { getIntlLocale } from './format.ts';

// Apart from format.ts, which every island carries: few pages write these.

/** An amount of money, given in cents, with its currency as the language writes it; always with its decimals. */
export function formatAmount(cents: number, currency: string, lang: string): string {
  return new Intl.NumberFormat(getIntlLocale(lang), { style: 'currency', currency }).format(cents / 100);
}

/** A part of a whole, given from 0 to 1: «15%», «15 %»; with so many decimals at most. */
export function formatShare(share: number, lang: string, decimals = 0): string {
  const shape = { style: 'percent', maximumFractionDigits: decimals } as const;
  return new Intl.NumberFormat(getIntlLocale(lang), shape).format(share);
}

/** So many bytes, as far as a reader wants to know: «1.2 MB». */
export function formatMegabytes(bytes: number, lang: string): string {
  const shape = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(getIntlLocale(lang), shape).format(bytes / 1_000_000);
}
