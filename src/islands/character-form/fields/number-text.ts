/** Numbers are read from texts up to nine digits long. */
export const MAX_NUMBER = 999_999_999;

/** The number that a text is: a whole one of up to nine digits; null where it is none. */
export function parseNumber(text: string, allowNegative: boolean): number | null {
  return (allowNegative ? /^-?\d{1,9}$/ : /^\d{1,9}$/).test(text) ? Number(text) : null;
}

/** What stands where a number should, as text: also what another program wrote there. Empty where nothing does. */
export function formatNumberText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a text can be on its way to a number, when that is written over another text. */
export const isPartialNumber = (text: string, before: string, allowNegative: boolean): boolean =>
  text === '' || (allowNegative && text === '-') || text.length < before.length;
