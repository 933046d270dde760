// What a check has to say: one file, one key, one sentence. Plain JavaScript for Node 20.

/**
 * @typedef {{ file: string, key: string, what: string, level: 'error' | 'warning' }} Finding
 */

/**
 * Something that must be put right before the texts are complete.
 * @returns {Finding}
 */
export const error = (file, key, what) => ({ file, key, what, level: 'error' });

/**
 * Something that a person should look at and may leave as it is.
 * @returns {Finding}
 */
export const warning = (file, key, what) => ({ file, key, what, level: 'warning' });

/** One line for one finding. */
export function lineOf({ file, key, what, level }) {
  return `${file}${key === '' ? '' : `  ${key}`}: ${level === 'warning' ? 'warning: ' : ''}${what}`;
}
