// The one place from which Cloudflare is spoken to: by wrangler, as an operator would.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT, toolEnvironment } from '../lib/process.mjs';

/**
 * @typedef {object} Said
 * @property {number} code
 * @property {string} out what it printed
 * @property {string} err what it complained about
 */
/**
 * Runs wrangler with these words. What is put in is no word of it: other programs of the machine read those.
 * @typedef {(args: string[], options?: { input?: string, environment?: Record<string, string>, show?: boolean }) => Promise<Said>} Wrangler
 */

/** @type {Wrangler} */
export const runWrangler = (args, { input, environment = {}, show = false } = {}) =>
  new Promise((resolve) => {
    const child = spawn('wrangler', args, {
      cwd: ROOT,
      // Without colours and questions: what it says is read here.
      env: toolEnvironment({ NO_COLOR: '1', FORCE_COLOR: '0', CI: '1', ...environment }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    for (const [stream, name] of [
      [child.stdout, 'out'],
      [child.stderr, 'err'],
    ]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        said[name] += text;
        if (show) process.stdout.write(text);
      });
    }
    child.on('error', (error) => resolve({ code: 127, out: '', err: error.message }));
    child.on('close', (code) => {
      const [out, err] = [said.out, said.err].map(stripVTControlCharacters);
      resolve({ code: code ?? 1, out, err });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });

/**
 * Runs wrangler, and reads what it writes for programs.
 * @param {string[]} args
 * @returns {Promise<{ said: Said, told: Record<string, any>[] }>}
 */
export async function runWranglerForPrograms(args) {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-deploy-'));
  const file = join(folder, 'output.ndjson');
  try {
    const said = await runWrangler(args, { environment: { WRANGLER_OUTPUT_FILE_PATH: file } });
    let told = [];
    try {
      told = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    } catch {
      // It ended before it had anything to tell.
    }
    return { said, told };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As long as what wrangler explains with a choice of ways out; a call's whole trace is longer. */
const COMPLAINT_LINES = 12;

/** Why it failed, in its own words without its decoration. @param {Said} said */
export function complaintOf({ out, err, code }) {
  const linesOf = (text) =>
    text
      .split('\n')
      .map((line) => line.replace(/^[\s✘▲│╭╰─]+/u, '').trim())
      .filter((line) => line !== '' && !/^(?:🪵|⛅|If you think this is a bug)/u.test(line));
  const complaints = linesOf(err);
  const lines = complaints.length > 0 ? complaints : linesOf(out);
  const at = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('[ERROR]')),
  );
  const told = lines
    .slice(at, at + COMPLAINT_LINES)
    .join(' ')
    .replace('[ERROR] ', '');
  return told === '' ? `wrangler ended with ${code}` : told;
}

/** The JSON in what it printed: a banner or a warning may stand before it. @param {string} out */
export function jsonIn(out) {
  const at = out.search(/^[[{]/m);
  if (at < 0) throw new SyntaxError('no JSON');
  return JSON.parse(out.slice(at));
}
