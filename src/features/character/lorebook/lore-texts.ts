import type { Lorebook } from './lorebook-contract.ts';

/** Names and texts alike; numbers and switches say nothing. */
export function collectText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(collectText).filter(Boolean).join('\n');
}

/** What a lorebook says of itself, and each of its entries by itself: what one of them tells has nothing to do with the next. */
export const listLoreTexts = (book: Lorebook | null | undefined): string[] =>
  book == null
    ? []
    : [collectText({ ...book, entries: [] }), ...book.entries.map(collectText)].filter(Boolean);
