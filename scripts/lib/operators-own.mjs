import { readVariables } from '../../src/env/check.js';
import { VARIABLES } from '../../src/env/variables.js';

/** What a local Worker gets made anew: whatever a shell holds of it belongs to something else. */
const MADE_HERE = new Set(['AUTH_SECRET']);

/**
 * Of a shell's variables those that are the operator's own, for the Worker.
 * @param {Record<string, string | undefined>} shell
 * @returns {Record<string, string>}
 */
export function operatorsOwn(shell) {
  const isOwn = ([name, value]) => name in VARIABLES && !MADE_HERE.has(name) && value !== undefined;
  return Object.fromEntries(Object.entries(shell).filter(isOwn));
}

/**
 * What is wrong with some variables that a start here would add to; what is missing is made here.
 * @param {Record<string, string | undefined>} own
 * @returns {string | null} one sentence
 */
export function wrongOfOwn(own) {
  const made = { AUTH_SECRET: 'made-by-the-start-alone', MAIL_FROM: 'hello@localhost.test' };
  const { troubles } = readVariables({ ...made, ...own });
  return troubles.length === 0 ? null : troubles.map(({ name, text }) => `${name}: ${text}.`).join('\n');
}
