// `npm run bench`: measures the built product and a floor in the same run, and writes docs/capacity.md and
// the performance tables in docs/tables.
// `-- --only turns,pages` selects measurements, `-- --quick` tries them with small numbers and writes nothing,
// `-- --dist <folder>` uses an existing build.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, builtConfig, CliError } from '../lib/prepare.mjs';
import { ROOT, run } from '../lib/process.mjs';
import { measureCapacity } from './capacity/measure.mjs';
import { startClients, startModel } from './clients.mjs';
import { measureColdStart } from './cold-start.mjs';
import { measureDatabase } from './database.mjs';
import { formatNumber, replaceSection } from './figures.mjs';
import { measureLongChat } from './long-chat.mjs';
import { describeMachine, measureBusyShare } from './machine.mjs';
import { measureMemory } from './memory.mjs';
import { measureNavigation } from './navigation.mjs';
import { measurePages } from './pages.mjs';
import { measurePrompts } from './prompts.mjs';
import { measureRows } from './rows.mjs';
import { startBare, startProduct, startTrivial } from './servers.mjs';
import { measureStreams } from './streams.mjs';
import { measureTokens } from './tokens.mjs';
import { measureTurns } from './turns.mjs';
import { measureWaits } from './waits.mjs';

const OUT_DIR = '.wrangler/bench/dist';
const DOCUMENT = join(ROOT, 'docs', 'tables', 'performance.md');
/** The page that a measurement writes instead. */
const BROWSER_DOCUMENT = join(ROOT, 'docs', 'tables', 'browser-performance.md');
const OWN_DOCUMENTS = {
  capacity: join(ROOT, 'docs', 'capacity.md'),
  'long-chat': BROWSER_DOCUMENT,
  navigation: BROWSER_DOCUMENT,
};
const MEASUREMENTS = {
  turns: measureTurns,
  streams: measureStreams,
  tokens: measureTokens,
  waits: measureWaits,
  prompts: measurePrompts,
  pages: measurePages,
  rows: measureRows,
  memory: measureMemory,
  'cold-start': measureColdStart,
  database: measureDatabase,
  'long-chat': measureLongChat,
  navigation: measureNavigation,
  capacity: measureCapacity,
};
const USAGE = `usage: npm run bench -- [--only ${Object.keys(MEASUREMENTS).join(',')}] [--quick] [--dist <folder of a build>]`;
const IDLE_CHECK_MS = 5000;
/** Above this share of the processors' time, other processes distort the figures. */
const MAX_BUSY_SHARE = 0.1;

const say = (text) => console.log(text);

function readOptions() {
  const options = {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    dist: { type: 'string' },
  };
  try {
    const { values } = parseArgs({ options });
    const only = values.only?.split(',') ?? Object.keys(MEASUREMENTS);
    if (only.every((name) => Object.hasOwn(MEASUREMENTS, name))) return { ...values, only };
  } catch {
    // An unknown option gets the same answer as an unknown measurement.
  }
  throw new CliError(USAGE);
}

/** The storage of all servers, until this process exits. */
const FOLDER = mkdtempSync(join(tmpdir(), 'loreloom-bench-'));
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

/**
 * What a measurement works with. `close` ends all servers that it started.
 * @typedef {ReturnType<typeof openBench>} Bench
 */
function openBench({ outDir, model, clients, quick }) {
  const closers = [];
  const onClose = (close) => closers.unshift(close);
  const createFolder = () => mkdtempSync(join(FOLDER, 'run-'));
  const open = async (start, { folder = createFolder(), ...options } = {}) => {
    const server = await start({ outDir, modelUrl: model.url, folder, ...options });
    onClose(server.end);
    return server;
  };
  return {
    ...{ outDir, model, quick, say, createFolder, onClose, ask: clients.ask },
    startProduct: (options) => open(startProduct, options),
    startBare: (options) => open(startBare, options),
    startTrivial: (options) => open(startTrivial, options),
    /** Runs turns that must all be complete. */
    runTurns: async (options) => {
      const seen = await clients.ask('turns', options);
      if (seen.failure !== null) throw new Error(`${options.target.name}: ${seen.failure}`);
      return seen;
    },
    close: async () => {
      for (const close of closers) await close();
    },
  };
}

async function measure(name, options) {
  const busyShare = await measureBusyShare(IDLE_CHECK_MS);
  const busy = `${Math.round(100 * busyShare)} % of its processors`;
  const state =
    busyShare > MAX_BUSY_SHARE
      ? `**The machine was busy**: others took ${busy} before it began, and these figures say little.`
      : `Others took ${busy} before it began.`;
  const begun = performance.now();
  const bench = openBench(options);
  try {
    const text = await MEASUREMENTS[name](bench);
    const seconds = formatNumber((performance.now() - begun) / 1000);
    return `\`npm run bench -- --only ${name}\` ${options.machine}, in ${seconds} s. ${state}\n\n${text}`;
  } finally {
    await bench.close();
    await options.model.control('reset');
  }
}

async function main() {
  const { only, quick, dist } = readOptions();
  const outDir = dist ?? OUT_DIR;
  if (process.platform !== 'linux') throw new CliError('The bench reads /proc: it needs Linux.');
  if (dist === undefined) await build(say, outDir, { deployed: true });
  readFileSync(builtConfig(outDir));
  const [machine, model, clients] = [await describeMachine(), await startModel(), startClients()];
  const begun = performance.now();
  try {
    for (const name of only) {
      say(`\n${name} …`);
      const text = await measure(name, { outDir, model, clients, quick, machine });
      say(`\n${text}`);
      if (quick) continue;
      const document = OWN_DOCUMENTS[name] ?? DOCUMENT;
      writeFileSync(document, replaceSection(readFileSync(document, 'utf8'), name, text));
      await run('oxfmt', [document]);
    }
  } finally {
    clients.end();
    model.end();
  }
  const minutes = formatNumber((performance.now() - begun) / 60_000);
  say(`\nAll of it: ${minutes} minutes.${quick ? ' Nothing was written.' : ''}`);
}

// An exit, unlike a signal, runs the handlers that end servers and remove folders.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
try {
  await main();
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
