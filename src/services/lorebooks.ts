import { CARD } from '../features/character/limits.ts';
import type { Lorebook } from '../features/character/lorebook/lorebook-contract.ts';
import {
  bookBytes,
  bookTroubles,
  LORE_LIMITS,
  type LoreTrouble,
} from '../features/character/lorebook/lorebook-rules.ts';
import { refuse, type Refused } from './context.ts';

const SENTENCES: Partial<Record<LoreTrouble['code'], string>> = {
  name: `A name must not exceed ${LORE_LIMITS.name} characters`,
  key: `A key must not exceed ${LORE_LIMITS.key} characters`,
  keys: `An entry has ${LORE_LIMITS.keys} keys at most`,
  text: `A text must not exceed ${LORE_LIMITS.text} characters`,
};

/** Refuses a lorebook that is larger than the limit, also one that was stored before. */
export function refuseLargeBook(book: Lorebook | null | undefined): Refused<'lorebook_too_large'> | null {
  if (book == null || bookBytes(book) <= CARD.lorebook.maxBytes) return null;
  return refuse('lorebook_too_large', {
    fields: { lorebook: [`A lorebook may have ${CARD.lorebook.maxBytes / 1024} kB in all`] },
  });
}

/**
 * Refuses a lorebook in which something is too long. What was too long where it came from may stay as it is.
 * @param stoodBefore the book as JSON that was there before; asked for only where something is too long
 */
export async function refuseBook(
  book: Lorebook | null | undefined,
  stoodBefore: () => Promise<string | null | undefined>,
): Promise<Refused<'lorebook_too_large' | 'invalid_input'> | null> {
  const tooLarge = refuseLargeBook(book);
  if (tooLarge !== null) return tooLarge;
  if (book == null || bookTroubles(book, null).length === 0) return null;
  const stood = await stoodBefore();
  const troubles = bookTroubles(book, typeof stood === 'string' ? (JSON.parse(stood) as Lorebook) : null);
  const said = new Set(troubles.map(({ code }) => SENTENCES[code] ?? 'This lorebook holds too much'));
  return said.size > 0 ? refuse('invalid_input', { fields: { lorebook: [...said] } }) : null;
}
