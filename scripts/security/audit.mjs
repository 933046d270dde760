// Whether what we depend on is known to have a hole. Only the registry knows, and not every mirror of it says.
// Plain JavaScript for Node 20.
import { run } from '../lib/process.mjs';

/** What is in the product has to be free of them; tools that only build and test it may wait for a day. */
const BARS = new Set(['high', 'critical']);

/**
 * Asks the registry.
 * @param {{ isRequired: boolean }} options whether it is a failure that it cannot be asked
 */
export async function audited({ isRequired }) {
  const file = 'npm audit';
  const { output } = await run('npm', ['audit', '--json', '--omit=dev'], { env: process.env });
  const told = jsonIn(output);
  const name = 'what the product is built from has no hole that is known';
  if (told?.metadata?.vulnerabilities === undefined) {
    const why =
      'the registry that is used here does not answer questions about holes; ask where it does: npm audit --omit=dev';
    console.log(`\nNot asked: ${why}`);
    return { file, name, status: isRequired ? 'failed' : 'skipped', why };
  }
  const found = Object.values(told.vulnerabilities ?? {}).filter(({ severity }) => BARS.has(severity));
  const why = found.map(({ name: who, severity }) => `${who} (${severity})`).join(', ');
  return { file, name, status: found.length === 0 ? 'passed' : 'failed', why };
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
