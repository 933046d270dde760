import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { hasVisibleText, sanitizeName } from '../../lib/sanitize-text.ts';

export const MIN_USERNAME_CHARS = 3;

/** Letters of any script with their marks, digits, hyphens and underscores; at least one letter or digit. */
const USERNAME_PATTERN = /^[\p{L}\p{M}\p{N}_-]*[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u;

/** Why a text is not a valid username. */
export type UsernameError = 'short' | 'long' | 'shape';

/** Returns a username as accounts store it: equal letters always have equal code points. */
export function normalizeUsername(text: string): string {
  return sanitizeName(text.toWellFormed().trim().normalize('NFC'));
}

/**
 * Returns what is wrong with a username; null for a valid one. Names need not be unique, because ids identify users.
 */
export function validateUsername(text: string): UsernameError | null {
  const name = normalizeUsername(text);
  if (name.length < MIN_USERNAME_CHARS) return 'short';
  if (name.length > TEXT_LIMITS.username) return 'long';
  return USERNAME_PATTERN.test(name) && hasVisibleText(name) ? null : 'shape';
}
