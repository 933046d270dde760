// Checks dependencies for known vulnerabilities. Only the registry knows them, and not every mirror answers.
// Plain JavaScript for Node 20.
import { run } from '../lib/process.mjs';

/** Severities that fail the check for dependencies of the product. Others are reported, to be fixed later (docs/security.md). */
const BARS = new Set(['high', 'critical']);

/** @typedef {{ name: string, severity: string }} Hole */

/**
 * Asks the registry about the product's dependencies and about all others, which build and test it.
 * @param {(args: string[]) => Promise<{ output: string }>} ask
 * @returns {Promise<{ product: Hole[], tools: Hole[] } | null>} null if the registry does not answer
 */
async function holes(ask) {
  const found = [];
  for (const args of [['--omit=dev'], []]) {
    const told = jsonIn((await ask(['audit', '--json', ...args])).output);
    if (told?.metadata?.vulnerabilities === undefined) return null;
    found.push(
      Object.entries(told.vulnerabilities ?? {}).map(([name, { severity }]) => ({ name, severity })),
    );
  }
  const [product, all] = found;
  const known = new Set(product.map(({ name }) => name));
  return { product, tools: all.filter(({ name }) => !known.has(name)) };
}

const listed = (some) => some.map(({ name, severity }) => `${name} (${severity})`).join(', ');

/**
 * Checks all dependencies. Vulnerabilities that need no immediate fix are printed and do not fail.
 * @param {{ isRequired: boolean, ask?: (args: string[]) => Promise<{ output: string }>, say?: (text: string) => void }} options
 *   `isRequired`: whether an unavailable registry is a failure
 */
export async function audited({
  isRequired,
  ask = (args) => run('npm', args, { env: process.env }),
  say = console.log,
}) {
  const file = 'npm audit';
  const name = 'what the product is built from has no hole that is known';
  const found = await holes(ask);
  if (found === null) {
    const why =
      'the registry that is used here does not answer questions about holes; ask where it does: npm audit';
    say(`\nNot asked: ${why}`);
    return { file, name, status: isRequired ? 'failed' : 'skipped', why };
  }
  const barring = found.product.filter(({ severity }) => BARS.has(severity));
  const waiting = found.product.filter(({ severity }) => !BARS.has(severity));
  if (waiting.length > 0)
    say(`\nKnown holes to be closed within thirty days, in the product: ${listed(waiting)}`);
  if (found.tools.length > 0)
    say(`\nKnown holes to be closed within thirty days, in what builds and tests it: ${listed(found.tools)}`);
  return { file, name, status: barring.length === 0 ? 'passed' : 'failed', why: listed(barring) };
}

/** Parses the JSON in npm's output, which has warnings before and after it. */
function jsonIn(output) {
  const [from, to] = [output.indexOf('\n{'), output.lastIndexOf('}')];
  try {
    return JSON.parse(output.slice(output.startsWith('{') ? 0 : from + 1, to + 1));
  } catch {
    return null;
  }
}
