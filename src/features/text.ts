import { z } from 'zod';
import { hasBreaks, hasVisibleText, nameable } from './visible-text.ts';

const isWhole = (text: string): boolean => text.isWellFormed();
const HALF_A_CHARACTER = 'This text holds half a character';

/**
 * A text of so many UTF-16 units at most, as a browser's own counters count. The schema's own rule counts whole
 * characters, as JSON Schema does: it is what documents the limit, and the other one is what holds.
 */
function noLonger(text: z.ZodString, max: number, tooLong = `This text must not exceed ${max} characters`) {
  return text
    .max(max, { error: tooLong, abort: true })
    .refine(({ length }) => length <= max, { error: tooLong, abort: true });
}

/**
 * Text that people write: whole characters only. Half a surrogate pair cannot be stored as it was
 * sent, so it is refused instead of becoming something else.
 * @param max the longest text, in UTF-16 units, as a browser's own counters count
 * @param tooLong the sentence for one that is longer
 */
export function writtenText(max: number, tooLong?: string) {
  return noLonger(z.string(), max, tooLong).refine(isWhole, HALF_A_CHARACTER);
}

/**
 * Written text in which there is something to see.
 * @param missing the sentence for one that is not there, or in which there is not
 * @param tooLong the sentence for one that is longer
 */
export function visibleText(max: number, missing: string, tooLong?: string) {
  const text = z.string({ error: ({ input }) => (input === undefined ? missing : undefined) });
  return noLonger(text, max, tooLong).refine(isWhole, HALF_A_CHARACTER).refine(hasVisibleText, missing);
}

/**
 * What somebody or something is called: one line in which there is something to see. Blanks around it are no part of it,
 * and neither is what would turn around or cover the text beside it.
 * @param max the longest name, in UTF-16 units
 * @param said the sentences for a name that is not there, and for one that is too long
 */
export function nameText(max: number, said: { missing: string; tooLong?: string }) {
  const text = z
    .string({ error: ({ input }) => (input === undefined ? said.missing : undefined) })
    .overwrite(nameable)
    .trim()
    .min(1, { error: said.missing, abort: true });
  return noLonger(text, max, said.tooLong)
    .refine(isWhole, HALF_A_CHARACTER)
    .refine(hasVisibleText, said.missing)
    .refine((text) => !hasBreaks(text), 'A name is one line of text');
}
