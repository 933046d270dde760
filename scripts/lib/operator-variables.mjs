import { readVariables } from '../../src/env/check.js';
import { VARIABLES } from '../../src/env/variables.js';

/** A local Worker gets a generated value: a value in the shell belongs to something else. */
const GENERATED = new Set(['AUTH_SECRET']);

/**
 * Picks the variables of the shell that configure the Worker.
 * @param {Record<string, string | undefined>} shell
 * @returns {Record<string, string>}
 */
export function pickOperatorVariables(shell) {
  const isOwn = ([name, value]) => name in VARIABLES && !GENERATED.has(name) && value !== undefined;
  return Object.fromEntries(Object.entries(shell).filter(isOwn));
}

/**
 * Checks the operator's variables. Missing ones are no error: `npm start` sets those itself.
 * @param {Record<string, string | undefined>} own
 * @returns {string | null} a sentence for each wrong variable; null if all are right
 */
export function describeWrongVariables(own) {
  const generated = { AUTH_SECRET: 'generated-by-npm-start', MAIL_FROM: 'hello@localhost.test' };
  const { troubles } = readVariables({ ...generated, ...own });
  return troubles.length === 0 ? null : troubles.map(({ name, text }) => `${name}: ${text}.`).join('\n');
}
