// Whether what we depend on is known to have a hole. Only the registry knows, and not every mirror of it says.
// Plain JavaScript for Node 20.
import { run } from '../lib/process.mjs';

/** What is in the product has to be free of them; all else may wait for its day (docs/security.md), and is told. */
const BARS = new Set(['high', 'critical']);

/** @typedef {{ name: string, severity: string }} Hole */

/**
 * Asks the registry about what is in the product, and about everything that builds and tests it too.
 * @param {(args: string[]) => Promise<{ output: string }>} ask
 * @returns {Promise<{ product: Hole[], tools: Hole[] } | null>} null where it does not say
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
 * Asks the registry. What need not be closed at once is printed and is no failure.
 * @param {{ isRequired: boolean, ask?: (args: string[]) => Promise<{ output: string }>, say?: (text: string) => void }} options
 *   `isRequired`: whether it is a failure that it cannot be asked
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

/** npm writes warnings before and after it. */
function jsonIn(output) {
  const [from, to] = [output.indexOf('\n{'), output.lastIndexOf('}')];
  try {
    return JSON.parse(output.slice(output.startsWith('{') ? 0 : from + 1, to + 1));
  } catch {
    return null;
  }
}
