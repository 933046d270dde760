// What stands behind the names of the commands for a deployment.
import { parseArgs } from 'node:util';
import { Trouble } from '../lib/prepare.mjs';

export const ENVIRONMENTS = ['staging', 'production'];

/**
 * Reads what was typed.
 * @param {string[]} argv
 * @param {{ usage: string, options?: import('node:util').ParseArgsConfig['options'], needsEnvironment?: boolean }} command
 * @returns {{ env: string, [option: string]: string | boolean | undefined }}
 * @throws Trouble in one sentence
 */
export function readArguments(argv, { usage, options = {}, needsEnvironment = true }) {
  let values;
  try {
    ({ values } = parseArgs({ args: argv, options: { env: { type: 'string', short: 'e' }, ...options } }));
  } catch (error) {
    throw new Trouble(`${error.message.split('.')[0]}.\n${usage}`);
  }
  const { env } = values;
  if (env === undefined && !needsEnvironment) return values;
  if (!ENVIRONMENTS.includes(env))
    throw new Trouble(`Say for which environment: --env ${ENVIRONMENTS.join(' or --env ')}.\n${usage}`);
  return values;
}

/** Runs a command: what somebody can act on is a sentence, everything else shows where it happened. */
export async function command(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(error instanceof Trouble ? error.message : error);
    process.exitCode = 1;
  }
}
