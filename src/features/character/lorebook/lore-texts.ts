import type { Lorebook } from './lorebook-contract.ts';

/** Joins all texts in a value; numbers and booleans contain no text. */
export function collectText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(collectText).filter(Boolean).join('\n');
}

/** Returns the lorebook's own texts, and those of each entry separately: an entry is not the context of the next. */
export const listLoreTexts = (book: Lorebook | null | undefined): string[] =>
  book == null
    ? []
    : [collectText({ ...book, entries: [] }), ...book.entries.map(collectText)].filter(Boolean);
