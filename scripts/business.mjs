// `npm run business`: shows or changes the business constants, without a deployment. docs/runtime-config.md
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  parseRuntimeConfigText,
  applyOverrides,
  resetOverrides,
  toRuntimeConfigView,
} from '../src/features/runtime-config/runtime-config.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  OFFERS_KV_KEY,
  OFFERS_TTL_SECONDS,
} from '../src/features/runtime-config/runtime-config-gateway.ts';
import { RUNTIME_CONFIG_KEYS } from '../src/features/runtime-config/contract.ts';
import { updateRecentOffers, parseRecentOffers } from '../src/features/runtime-config/offers.ts';
import { readArguments, runCommand, WRANGLER_TOML } from './deploy/command.mjs';
import { requireWrangler, runWrangler } from './deploy/wrangler.mjs';
import { CliError } from './lib/prepare.mjs';
import { ROOT } from './lib/process.mjs';

const USAGE = `usage: npm run business -- show
       npm run business -- set name=value …     (none removes a limit: daily_message_limit=none)
       npm run business -- reset name …         (back to the default)
       with --remote --env production (or staging) for a deployment; without, for this checkout`;

/**
 * A KV namespace. A value written with `seconds` expires after that time.
 * @typedef {{
 *   read(key: string): Promise<string | null>,
 *   write(key: string, text: string, seconds?: number): Promise<void>,
 * }} Store
 */

/** Parses a typed value: a number, `none`, or a text. @param {string} text */
function parseValue(text) {
  if (text === 'none' || text === 'null') return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** @param {unknown} value */
const format = (value) => (value === null ? 'none' : String(value));

/** Parses `name=value` arguments. @param {string[]} args @returns {Record<string, unknown> | null} null if one has no name */
function parseChange(args) {
  const pairs = args.map((arg) => [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)]);
  if (args.some((arg) => arg.indexOf('=') < 1)) return null;
  return Object.fromEntries(pairs.map(([name, text]) => [name, parseValue(text.trim())]));
}

/** @param {import('../src/features/runtime-config/runtime-config.ts').StoredRuntimeConfig} stored */
function formatTable(stored) {
  const { business, defaults, changed } = toRuntimeConfigView(stored);
  const width = Math.max(...RUNTIME_CONFIG_KEYS.map((name) => name.length));
  return RUNTIME_CONFIG_KEYS.map((name) => {
    const note = changed.includes(name) ? `  (default: ${format(defaults[name])})` : '';
    return `${name.padEnd(width)}  ${format(business[name])}${note}`;
  }).join('\n');
}

/** Stores the previous offer for as long as a payment for it may be in progress, as the API does. @param {Store} store */
async function storeOffers(store, before, after) {
  const change = { before, after, now: Date.now() };
  if (updateRecentOffers([], change) === null) return;
  const offers = updateRecentOffers(parseRecentOffers(await store.read(OFFERS_KV_KEY), change.now), change);
  await store.write(OFFERS_KV_KEY, JSON.stringify(offers), OFFERS_TTL_SECONDS);
}

/**
 * Shows or changes the constants. Invalid values are never written.
 * @param {string[]} argv the arguments without `--remote` and `--env`
 * @param {Store} store
 * @param {(text: string) => void} say
 * @returns {Promise<number>} the exit code
 */
export async function business(argv, store, say) {
  const [action, ...args] = argv;
  const change = action === 'set' ? parseChange(args) : null;
  const isValid =
    action === 'show' ? args.length === 0 : args.length > 0 && (action === 'reset' || change !== null);
  if (!isValid) {
    say(USAGE);
    return 2;
  }
  const stored = parseRuntimeConfigText(await store.read(RUNTIME_CONFIG_KV_KEY));
  if (stored.wrong.length > 0) {
    const names = stored.wrong.map((name) => (name === '_' ? 'everything' : name)).join(', ');
    say(`Stored values are invalid, so the defaults apply: ${names}`);
  }
  if (action === 'show') {
    say(formatTable(stored));
    return 0;
  }
  const changed =
    action === 'set' ? applyOverrides(stored.change, change) : resetOverrides(stored.change, args);
  if (!changed.ok) {
    for (const [name, messages] of Object.entries(changed.wrong)) say(`${name}: ${messages.join('; ')}`);
    say('Nothing was changed.');
    return 1;
  }
  const names = RUNTIME_CONFIG_KEYS.filter((name) => changed.business[name] !== stored.business[name]);
  for (const name of names)
    say(`${name}: ${format(stored.business[name])} → ${format(changed.business[name])}`);
  if (names.length === 0) say('These values apply already.');
  // The offers go first: if this fails, nothing has changed.
  await storeOffers(store, stored.business, changed.business);
  await store.write(RUNTIME_CONFIG_KV_KEY, JSON.stringify(changed.kept));
  if (names.length > 0) say('They apply everywhere within a minute, and to cached pages within about three.');
  return 0;
}

/** Opens the KV namespace of a deployment or of this checkout. @param {string[]} place wrangler's arguments @returns {Store} */
function openStore(place) {
  const run = async (...args) => {
    const all = ['kv', 'key', ...args, '--binding', 'KV', ...place, '--config', WRANGLER_TOML];
    return (await requireWrangler(runWrangler, `wrangler kv key ${args[0]}`, all)).out;
  };
  return {
    async read(key) {
      // Reading a missing key is an error remotely and a sentence locally, so the keys are listed first.
      const keys = JSON.parse(await run('list', '--prefix', key));
      return keys.some(({ name }) => name === key) ? run('get', key, '--text') : null;
    },
    async write(key, text, seconds) {
      using folder = mkdtempDisposableSync(join(tmpdir(), 'loreloom-business-'));
      const file = join(folder.path, 'value.json');
      writeFileSync(file, text);
      await run('put', key, '--path', file, ...(seconds === undefined ? [] : ['--ttl', String(seconds)]));
    },
  };
}

if (import.meta.main)
  await runCommand(async () => {
    const options = { remote: { type: 'boolean', default: false } };
    const command = { usage: USAGE, options, needsEnvironment: false, allowPositionals: true };
    const { remote, env, positionals } = readArguments(process.argv.slice(2), command);
    if (remote !== (env !== undefined)) throw new CliError(USAGE);
    const place = remote
      ? ['--remote', '--env', env]
      : ['--local', '--persist-to', join(ROOT, '.wrangler', 'state')];
    return business(positionals, openStore(place), (text) => console.log(text));
  });
