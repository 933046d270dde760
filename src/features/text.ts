import { z } from 'zod';

/**
 * Text that people write: whole characters only. Half a surrogate pair cannot be stored as it was
 * sent, so it is refused instead of becoming something else.
 * @param max the longest text, in UTF-16 units, as a browser's own counters count
 */
export function writtenText(max: number) {
  return z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed(), 'This text holds half a character');
}
