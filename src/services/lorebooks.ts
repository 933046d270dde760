import { CARD } from '../features/character/limits.ts';
import type { Lorebook } from '../features/character/lorebook/lorebook-contract.ts';
import {
  bookBytes,
  bookTroubles,
  LORE_LIMITS,
  type LoreTrouble,
} from '../features/character/lorebook/lorebook-rules.ts';
import { Problem } from '../api/middleware/problems.ts';

const SENTENCES: Partial<Record<LoreTrouble['code'], string>> = {
  name: `A name must not exceed ${LORE_LIMITS.name} characters`,
  key: `A key must not exceed ${LORE_LIMITS.key} characters`,
  keys: `An entry has ${LORE_LIMITS.keys} keys at most`,
  text: `A text must not exceed ${LORE_LIMITS.text} characters`,
};

/**
 * Refuses a lorebook that takes more room than one may have, whatever stood there before.
 * @throws Problem `lorebook_too_large` with the field `lorebook`
 */
export function refuseLargeBook(book: Lorebook | null | undefined): void {
  if (book == null || bookBytes(book) <= CARD.lorebook.maxBytes) return;
  throw new Problem('lorebook_too_large', {
    fields: { lorebook: [`A lorebook may have ${CARD.lorebook.maxBytes / 1024} kB in all`] },
  });
}

/**
 * Refuses a lorebook in which something is too long. What was too long where it came from may stay as it is.
 * @param stoodBefore the book as JSON that was there before; asked for only where something is too long
 * @throws Problem `lorebook_too_large` or `invalid_input`, with the field `lorebook`
 */
export async function refuseBook(
  book: Lorebook | null | undefined,
  stoodBefore: () => Promise<string | null | undefined>,
): Promise<void> {
  refuseLargeBook(book);
  if (book == null || bookTroubles(book, null).length === 0) return;
  const stood = await stoodBefore();
  const troubles = bookTroubles(book, typeof stood === 'string' ? (JSON.parse(stood) as Lorebook) : null);
  const said = new Set(troubles.map(({ code }) => SENTENCES[code] ?? 'This lorebook holds too much'));
  if (said.size > 0) throw new Problem('invalid_input', { fields: { lorebook: [...said] } });
}
