/** Largest number that can be entered: nine digits. */
export const MAX_NUMBER = 999_999_999;

/** Parses a whole number of up to nine digits; null for any other text. */
export function parseNumber(text: string, allowNegative: boolean): number | null {
  return (allowNegative ? /^-?\d{1,9}$/ : /^\d{1,9}$/).test(text) ? Number(text) : null;
}

/** A stored value as text, also one of another type from a different program; empty if there is none. */
export function formatNumberText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a text may become a number with more typing, or is a shortened version of `before`. */
export const isPartialNumber = (text: string, before: string, allowNegative: boolean): boolean =>
  text === '' || (allowNegative && text === '-') || text.length < before.length;
