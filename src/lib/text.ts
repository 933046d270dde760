import { z } from 'zod';
import { hasBreaks, hasVisibleText, sanitizeName } from './visible-text.ts';

const isWhole = (text: string): boolean => text.isWellFormed();
const HALF_A_CHARACTER = 'This text holds half a character';

/**
 * Limits a text to UTF-16 units, as a browser's `maxlength` counts. Zod's own rule counts code points, as JSON Schema does: it
 * documents the limit, and the refinement enforces it.
 */
function noLonger(text: z.ZodString, max: number, tooLong = `This text must not exceed ${max} characters`) {
  return text
    .max(max, { error: tooLong, abort: true })
    .refine(({ length }) => length <= max, { error: tooLong, abort: true });
}

/**
 * The schema of a text that people write. A lone surrogate is refused, because it cannot be stored as it was sent.
 * @param max in UTF-16 units
 * @param tooLong message for a longer one
 */
export function textSchema(max: number, tooLong?: string) {
  return noLonger(z.string(), max, tooLong).refine(isWhole, HALF_A_CHARACTER);
}

/**
 * The schema of a text that has something visible in it.
 * @param max in UTF-16 units
 * @param missing message for a missing or invisible one
 * @param tooLong message for a longer one
 */
export function visibleTextSchema(max: number, missing: string, tooLong?: string) {
  const text = z.string({ error: ({ input }) => (input === undefined ? missing : undefined) });
  return noLonger(text, max, tooLong).refine(isWhole, HALF_A_CHARACTER).refine(hasVisibleText, missing);
}

/**
 * The schema of a name: one visible line, trimmed, without characters that would reverse or cover the text next to it.
 * @param max in UTF-16 units
 * @param said messages for a missing name, and for a longer one
 */
export function nameSchema(max: number, said: { missing: string; tooLong?: string }) {
  const text = z
    .string({ error: ({ input }) => (input === undefined ? said.missing : undefined) })
    .overwrite(sanitizeName)
    .trim()
    .min(1, { error: said.missing, abort: true });
  return noLonger(text, max, said.tooLong)
    .refine(isWhole, HALF_A_CHARACTER)
    .refine(hasVisibleText, said.missing)
    .refine((text) => !hasBreaks(text), 'A name is one line of text');
}
