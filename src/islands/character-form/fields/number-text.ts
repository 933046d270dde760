/** Numbers are read from texts up to nine digits long. */
export const MOST = 999_999_999;

/** The number that a text is: a whole one of up to nine digits; null where it is none. */
export function numberIn(text: string, negative: boolean): number | null {
  return (negative ? /^-?\d{1,9}$/ : /^\d{1,9}$/).test(text) ? Number(text) : null;
}

/** What stands where a number should, as text: also what another program wrote there. Empty where nothing does. */
export function numberText(stood: unknown): string {
  if (stood === undefined || stood === null) return '';
  return typeof stood === 'string' ? stood : JSON.stringify(stood);
}

/** Whether a text can be on its way to a number, when that is written over another text. */
export const isHalfWritten = (text: string, before: string, negative: boolean): boolean =>
  text === '' || (negative && text === '-') || text.length < before.length;
