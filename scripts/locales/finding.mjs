// The result of a check: one file, one key, one sentence. Plain JavaScript for Node 20.

/**
 * @typedef {{ file: string, key: string, what: string, level: 'error' | 'warning' }} Finding
 */

/**
 * Creates a finding that must be fixed before the texts are complete.
 * @returns {Finding}
 */
export const error = (file, key, what) => ({ file, key, what, level: 'error' });

/**
 * Creates a finding that a person should review but may leave unchanged.
 * @returns {Finding}
 */
export const warning = (file, key, what) => ({ file, key, what, level: 'warning' });

/** Formats a finding as one line. */
export function lineOf({ file, key, what, level }) {
  return `${file}${key === '' ? '' : `  ${key}`}: ${level === 'warning' ? 'warning: ' : ''}${what}`;
}
