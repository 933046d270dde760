import { z } from 'zod';
import { hasBreaks, hasVisibleText, sanitizeName } from './sanitize-text.ts';

const isWellFormedText = (text: string): boolean => text.isWellFormed();
const LONE_SURROGATE_MESSAGE = 'This text holds half a character';

/**
 * Limits a text in UTF-16 units, as a browser's `maxlength` does. Zod's `max` counts code points, as JSON Schema does: it
 * documents the limit, and the refinement enforces it.
 */
function limitLength(text: z.ZodString, max: number, tooLong = `This text can have up to ${max} characters`) {
  return text
    .max(max, { error: tooLong, abort: true })
    .refine(({ length }) => length <= max, { error: tooLong, abort: true });
}

/**
 * Schema of a text written by a user. A lone surrogate is refused, because it cannot be stored unchanged.
 * @param max in UTF-16 units
 * @param tooLong error message for a longer text
 */
export function createTextSchema(max: number, tooLong?: string) {
  return limitLength(z.string(), max, tooLong).refine(isWellFormedText, LONE_SURROGATE_MESSAGE);
}

/**
 * Schema of a text with at least one visible character.
 * @param max in UTF-16 units
 * @param missing error message for a missing or invisible text
 * @param tooLong error message for a longer text
 */
export function createVisibleTextSchema(max: number, missing: string, tooLong?: string) {
  const text = z.string({ error: ({ input }) => (input === undefined ? missing : undefined) });
  return limitLength(text, max, tooLong)
    .refine(isWellFormedText, LONE_SURROGATE_MESSAGE)
    .refine(hasVisibleText, missing);
}

/**
 * Schema of a name: one visible line, trimmed, without characters that would reverse or cover the text next to it.
 * @param max in UTF-16 units
 * @param messages error messages for a missing name and for a longer one
 */
export function createNameSchema(max: number, messages: { missing: string; tooLong?: string }) {
  const text = z
    .string({ error: ({ input }) => (input === undefined ? messages.missing : undefined) })
    .overwrite(sanitizeName)
    .trim()
    .min(1, { error: messages.missing, abort: true });
  return limitLength(text, max, messages.tooLong)
    .refine(isWellFormedText, LONE_SURROGATE_MESSAGE)
    .refine(hasVisibleText, messages.missing)
    .refine((text) => !hasBreaks(text), 'A name is one line of text');
}

/**
 * The same for a name that may be left out: blank text becomes an empty string.
 * @param max in UTF-16 units
 * @param tooLong error message for a longer name
 */
export function createOptionalNameSchema(max: number, tooLong?: string) {
  const text = z.string().overwrite((name) => (hasVisibleText(name) ? sanitizeName(name).trim() : ''));
  return limitLength(text, max, tooLong)
    .refine(isWellFormedText, LONE_SURROGATE_MESSAGE)
    .refine((name) => !hasBreaks(name), 'A name is one line of text');
}

/** Schema of the client's key for an imported thing: the same key never creates a second one. */
export const importKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'A key has 1 to 64 letters, digits, hyphens or underscores')
  .describe('A hash of what is imported; repeating it returns what exists, also from the trash');
