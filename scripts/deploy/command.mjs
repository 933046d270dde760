// What the deployment commands share: arguments, questions, errors.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { CliError } from '../lib/prepare.mjs';
import { ROOT } from '../lib/process.mjs';

export const ENVIRONMENTS = ['staging', 'production'];
export const WRANGLER_TOML = process.env.LORELOOM_WRANGLER_TOML ?? join(ROOT, 'wrangler.toml');
export const readToml = () => readFileSync(WRANGLER_TOML, 'utf8');
export const writeToml = (text) => writeFileSync(WRANGLER_TOML, text);

/**
 * Parses the arguments of a command.
 * @param {string[]} argv
 * @param {{ usage: string, options?: import('node:util').ParseArgsConfig['options'], needsEnvironment?: boolean, allowPositionals?: boolean }} command
 * @returns {Record<string, any>} the options by name, and `positionals` (any: each command knows the types of its own options)
 * @throws CliError with the usage
 */
export function readArguments(
  argv,
  { usage, options = {}, needsEnvironment = true, allowPositionals = false },
) {
  let parsed;
  try {
    parsed = parseArgs({ args: argv, options: { env: { type: 'string' }, ...options }, allowPositionals });
  } catch (error) {
    throw new CliError(`${error.message.split('.')[0]}.\n${usage}`);
  }
  const { env } = parsed.values;
  if (env === undefined ? needsEnvironment : !ENVIRONMENTS.includes(env))
    throw new CliError(`Name the environment: --env ${ENVIRONMENTS.join(' or --env ')}.\n${usage}`);
  return { ...parsed.values, positionals: parsed.positionals };
}

/** Runs a command and sets the exit code. A CliError is printed without its stack. @param {() => Promise<number>} work */
export async function runCommand(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(error instanceof CliError ? error.message : error);
    process.exitCode = 1;
  }
}

/** Asks questions at the terminal; null if there is none. The answer to a secret question is not echoed. */
export function openPrompt() {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return null;
  let isHidden = false;
  const output = new Writable({
    write(chunk, encoding, done) {
      if (!isHidden) stdout.write(chunk, encoding);
      done();
    },
  });
  const lines = createInterface({ input: stdin, output, terminal: true });
  lines.on('SIGINT', () => process.exit(130));
  return {
    async ask({ text, secret }) {
      stdout.write(`\n${text}\n> `);
      isHidden = secret;
      const answer = await lines.question('');
      isHidden = false;
      if (secret) stdout.write('\n');
      return answer;
    },
    close: () => lines.close(),
  };
}
