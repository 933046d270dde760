// What `npm run business` does, apart from where the constants are kept.
import {
  parseRuntimeConfigText,
  applyOverrides,
  resetOverrides,
  toRuntimeConfigView,
} from '../../src/features/runtime-config/runtime-config.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  OFFERS_KV_KEY,
  OFFERS_TTL_SECONDS,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { RUNTIME_CONFIG_KEYS } from '../../src/features/runtime-config/contract.ts';
import { updateRecentOffers, parseRecentOffers } from '../../src/features/runtime-config/offers.ts';

const USAGE = `usage: npm run business -- show
       npm run business -- set name=value …     (none where no value is meant: daily_message_limit=none)
       npm run business -- reset name …         (back to the default)
       with --remote --env production (or staging): of the site that is deployed; without: of this checkout`;

/**
 * A namespace of KV; what is written with seconds goes after them.
 * @typedef {{
 *   read(key: string): Promise<string | null>,
 *   write(key: string, text: string, seconds?: number): Promise<void>,
 * }} Kept
 */

/** A value as somebody types it: a number, `none`, or a text. @param {string} text */
function valueOf(text) {
  if (text === 'none' || text === 'null') return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** @param {unknown} value */
const written = (value) => (value === null ? 'none' : String(value));

/**
 * @param {string[]} args
 * @returns what a `set` asks for, by name; null when something is not written `name=value`
 */
function readChange(args) {
  /** @type {[string, unknown][]} */
  const pairs = [];
  for (const arg of args) {
    const at = arg.indexOf('=');
    if (at < 1) return null;
    pairs.push([arg.slice(0, at), valueOf(arg.slice(at + 1).trim())]);
  }
  return Object.fromEntries(pairs);
}

/** @param {import('../../src/features/runtime-config/runtime-config.ts').StoredRuntimeConfig} kept */
function table(kept) {
  const { business, defaults, changed } = toRuntimeConfigView(kept);
  const width = Math.max(...RUNTIME_CONFIG_KEYS.map((name) => name.length));
  return RUNTIME_CONFIG_KEYS.map((name) => {
    const note = changed.includes(name) ? `  (default: ${written(defaults[name])})` : '';
    return `${name.padEnd(width)}  ${written(business[name])}${note}`;
  }).join('\n');
}

/**
 * Has what is for sale until now known for as long as somebody may be paying for it, as a change through the API does.
 * @param {Kept} store
 * @param {{ before: import('../../src/features/runtime-config/contract.ts').RuntimeConfig, after: import('../../src/features/runtime-config/contract.ts').RuntimeConfig }} change
 */
async function keepOffers(store, change) {
  const now = Date.now();
  if (updateRecentOffers([], { ...change, now }) === null) return;
  const lately = parseRecentOffers(await store.read(OFFERS_KV_KEY), now);
  const offers = updateRecentOffers(lately, { ...change, now });
  await store.write(OFFERS_KV_KEY, JSON.stringify(offers), OFFERS_TTL_SECONDS);
}

/**
 * Shows the constants or changes them; nothing that is wrong is written.
 * @param {string[]} argv what was typed, without `--local` and `--remote`
 * @param {Kept} store
 * @param {(text: string) => void} say
 * @returns {Promise<number>} the exit code
 */
export async function business(argv, store, say) {
  const [what, ...args] = argv;
  const change = what === 'set' ? readChange(args) : null;
  const isWhole =
    (what === 'show' && args.length === 0) ||
    (what === 'set' && change !== null && args.length > 0) ||
    (what === 'reset' && args.length > 0);
  if (!isWhole) {
    say(USAGE);
    return 2;
  }
  const kept = parseRuntimeConfigText(await store.read(RUNTIME_CONFIG_KV_KEY));
  if (kept.wrong.length > 0) {
    const names = kept.wrong.map((name) => (name === '_' ? 'everything' : name)).join(', ');
    say(`Not understood as it is kept, so the defaults are in force: ${names}`);
  }
  if (what === 'show') {
    say(table(kept));
    return 0;
  }
  const changed = what === 'set' ? applyOverrides(kept.change, change) : resetOverrides(kept.change, args);
  if (!changed.ok) {
    for (const [name, messages] of Object.entries(changed.wrong)) say(`${name}: ${messages.join('; ')}`);
    say('Nothing was changed.');
    return 1;
  }
  const others = RUNTIME_CONFIG_KEYS.filter((name) => changed.business[name] !== kept.business[name]);
  for (const name of others)
    say(`${name}: ${written(kept.business[name])} → ${written(changed.business[name])}`);
  if (others.length === 0) say('These are the values in force already.');
  // Before the change: should this fail, nothing has been changed.
  await keepOffers(store, { before: kept.business, after: changed.business });
  await store.write(RUNTIME_CONFIG_KV_KEY, JSON.stringify(changed.kept));
  if (others.length > 0)
    say('In force everywhere within a minute. Pages that shared caches keep follow within about three.');
  return 0;
}
