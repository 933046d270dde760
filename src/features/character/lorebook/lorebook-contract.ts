import { z } from 'zod';
import { CARD } from '../limits.ts';

/** What a book has around it in a card: the card and its data. */
const ENCLOSING_DEPTH = 2;

/** Whether a value is no deeper than a card may be: one that is deeper could be written down by no program. */
function isWithinDepth(value: unknown, maxDepth: number): boolean {
  // By a list of its own: what calls itself for each level ends where its stack does.
  const open = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > maxDepth) return false;
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 });
  }
  return true;
}

/**
 * A lorebook as Character Cards of version 2 and 3 have it (`character_book`). Programs write numbers as texts, leave fields
 * out and add their own: all of it is kept, and what a prompt does not understand it passes over. How long its texts may be
 * is asked by `findLorebookProblems` (lorebook-rules.ts), which knows what stood there before.
 */
export const lorebook = z
  .looseObject({ entries: z.array(z.unknown()).max(CARD.lorebook.maxEntries) })
  .refine(
    (book) => isWithinDepth(book, CARD.maxDepth - ENCLOSING_DEPTH),
    'This lorebook holds too much within itself',
  );
export type Lorebook = z.infer<typeof lorebook>;

/** What a character's maker reads and writes; null: it has none. */
export const lorebookBody = z.strictObject({ book: lorebook.nullable() });
