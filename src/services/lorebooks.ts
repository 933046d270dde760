import { CARD } from '../features/character/limits.ts';
import type { Lorebook } from '../features/character/lorebook/lorebook-contract.ts';
import {
  countBookBytes,
  findLorebookProblems,
  LORE_LIMITS,
  type LorebookProblem,
} from '../features/character/lorebook/lorebook-rules.ts';
import { refuse, type Refused } from './context.ts';

const ISSUE_MESSAGES: Partial<Record<LorebookProblem['code'], string>> = {
  name: `A name can have up to ${LORE_LIMITS.name} characters`,
  key: `Each keyword can have up to ${LORE_LIMITS.key} characters`,
  keys: `An entry can have up to ${LORE_LIMITS.keys} keywords`,
  text: `A text can have up to ${LORE_LIMITS.text} characters`,
};

/** Refuses a lorebook above the size limit, also when the stored one was already too large. */
export function checkLorebookSize(book: Lorebook | null | undefined): Refused<'lorebook_too_large'> | null {
  if (book == null || countBookBytes(book) <= CARD.lorebook.maxBytes) return null;
  return refuse('lorebook_too_large', {
    fields: { lorebook: [`A lorebook can be up to ${CARD.lorebook.maxBytes / 1024} kB`] },
  });
}

/**
 * Refuses a lorebook with a part that is too long. A part that was already too long in the previous book may stay
 * unchanged.
 * @param readPrevious loads the previous book as JSON; called only when a part is too long
 */
export async function checkLorebook(
  book: Lorebook | null | undefined,
  readPrevious: () => Promise<string | null | undefined>,
): Promise<Refused<'lorebook_too_large' | 'invalid_input'> | null> {
  const tooLarge = checkLorebookSize(book);
  if (tooLarge !== null) return tooLarge;
  if (book == null || findLorebookProblems(book, null).length === 0) return null;
  const previous = await readPrevious();
  const issues = findLorebookProblems(
    book,
    typeof previous === 'string' ? (JSON.parse(previous) as Lorebook) : null,
  );
  const messages = new Set(issues.map(({ code }) => ISSUE_MESSAGES[code] ?? 'This lorebook holds too much'));
  return messages.size > 0 ? refuse('invalid_input', { fields: { lorebook: [...messages] } }) : null;
}
