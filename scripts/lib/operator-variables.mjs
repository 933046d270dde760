import { getVariables, parseVariables } from '../../src/env/schema.js';

/**
 * Picks the variables of the shell that configure the Worker.
 * @param {Record<string, string | undefined>} shell
 * @returns {Record<string, string>}
 */
export function pickOperatorVariables(shell) {
  const variables = getVariables();
  const isOwn = ([name, value]) =>
    // A local Worker generates its own value: a value in the shell belongs to something else.
    name in variables && variables[name].generated !== true && value !== undefined;
  return Object.fromEntries(Object.entries(shell).filter(isOwn));
}

/**
 * Checks the operator's variables. Missing ones are no error: `npm start` sets those itself.
 * @param {Record<string, string | undefined>} own
 * @returns {string | null} a sentence for each wrong variable; null if all are right
 */
export function describeWrongVariables(own) {
  const generated = { AUTH_SECRET: 'generated-by-npm-start', MAIL_FROM: 'hello@localhost.test' };
  const { issues } = parseVariables({ ...generated, ...own });
  return issues.length === 0 ? null : issues.map(({ name, text }) => `${name}: ${text}.`).join('\n');
}
