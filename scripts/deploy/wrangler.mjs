// Runs wrangler: every call to Cloudflare goes through it.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { CliError } from '../lib/prepare.mjs';
import { ROOT, toolEnvironment } from '../lib/process.mjs';

/** @typedef {{ code: number, out: string, err: string }} Result exit code, standard output, standard error */
/**
 * `input` goes to standard input: secrets must not be arguments, because other users of the machine can read those.
 * @typedef {(args: string[], options?: { input?: string, environment?: Record<string, string> }) => Promise<Result>} Wrangler
 */

/** @type {Wrangler} */
export const runWrangler = (args, { input = '', environment = {} } = {}) =>
  new Promise((resolve) => {
    const env = toolEnvironment({ NO_COLOR: '1', FORCE_COLOR: '0', CI: '1', ...environment });
    const child = execFile('wrangler', args, { cwd: ROOT, env, maxBuffer: Infinity }, (error, out, err) => {
      // The code is a text if wrangler could not be started.
      const failure = typeof error?.code === 'string' ? error.message : err;
      const [cleanOut, cleanErr] = [out, failure].map(stripVTControlCharacters);
      resolve({ code: error === null ? 0 : Number(error.code) || 1, out: cleanOut, err: cleanErr });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });

/**
 * Runs wrangler and reads the events that it writes for programs.
 * @param {string[]} args
 * @returns {Promise<{ result: Result, events: Record<string, any>[] }>} (any: the fields depend on the event's type)
 */
export async function runWranglerWithEvents(args) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loreloom-deploy-'));
  const file = join(folder.path, 'output.ndjson');
  const result = await runWrangler(args, { environment: { WRANGLER_OUTPUT_FILE_PATH: file } });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return { result, events: lines.map((line) => JSON.parse(line)) };
}

/**
 * @param {Wrangler} wrangler @param {string} action what the command does, as the subject of «… failed»
 * @param {string[]} args @param {{ input?: string }} [options]
 * @throws CliError with wrangler's own error
 */
export async function requireWrangler(wrangler, action, args, options) {
  const result = await wrangler(args, options);
  if (result.code !== 0) throw new CliError(`${action} failed: ${describeFailure(result)}`);
  return result;
}

/** Enough for an error that lists ways out; the trace of an API call is longer. */
const ERROR_LINES = 12;

/** Extracts wrangler's error from its output. @param {Result} result */
export function describeFailure({ out, err, code }) {
  const clean = (text) =>
    text
      .split('\n')
      .map((line) => line.replace(/^[\s✘▲│╭╰─]+/u, '').trim())
      .filter((line) => line !== '' && !/^(?:🪵|⛅|If you think this is a bug)/u.test(line));
  const errors = clean(err);
  const lines = errors.length > 0 ? errors : clean(out);
  const start = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('[ERROR]')),
  );
  const message = lines.slice(start, start + ERROR_LINES).join(' ');
  return message.replace('[ERROR] ', '') || `wrangler exited with ${code}`;
}

/** Parses the JSON in wrangler's output, which may follow a banner or a warning. @param {string} out */
export const parseJson = (out) => JSON.parse(out.slice(out.search(/^[[{]/m)));
