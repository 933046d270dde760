import { z } from 'zod';
import { CARD } from '../limits.ts';

/** Levels around a lorebook in a card: the card and its data. */
const ENCLOSING_DEPTH = 2;

/** Whether a value is within the depth limit of cards; no program could serialise a deeper one. */
function isWithinDepth(value: unknown, maxDepth: number): boolean {
  // Iterative, because recursion would overflow the stack.
  const open = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > maxDepth) return false;
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 });
  }
  return true;
}

/**
 * A lorebook as Character Cards of version 2 and 3 define it (`character_book`). Programs write numbers as texts, leave
 * out fields and add their own: everything is kept, and prompts ignore what they do not understand. Length limits are
 * checked by `findLorebookProblems` (lorebook-rules.ts), which knows the previous lorebook.
 */
export const lorebook = z
  .looseObject({ entries: z.array(z.unknown()).max(CARD.lorebook.maxEntries) })
  .refine(
    (book) => isWithinDepth(book, CARD.maxDepth - ENCLOSING_DEPTH),
    'This lorebook holds too much within itself',
  );
export type Lorebook = z.infer<typeof lorebook>;

/** The lorebook as the creator reads and writes it; null for none. */
export const lorebookBody = z.strictObject({ book: lorebook.nullable() });
