// `npm run bench`: what the built product takes, as ratios to a bare floor that is measured in the same run. It writes its
// tables into docs/performance.md. `-- --only turns,pages` measures some parts; `-- --quick` tries everything with small
// numbers and writes nothing; `-- --dist <folder>` takes a build that is there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, builtConfig, install, CliError as Trouble } from '../lib/prepare.mjs';
import { ROOT, run } from '../lib/process.mjs';
import { startClients, startModel } from './clients.mjs';
import { measureDatabase, tellDatabase } from './database.mjs';
import { shown, withPart } from './figures.mjs';
import { measureFresh, tellFresh } from './fresh.mjs';
import { describeMachine, takenByOthers } from './machine.mjs';
import { measureMemory, tellMemory } from './memory.mjs';
import { measurePages, tellPages } from './pages.mjs';
import { measureRows, tellRows } from './rows.mjs';
import { measureSteps, tellSteps } from './steps.mjs';
import { measureTurns, tellTurns } from './turns.mjs';

/**
 * What every part is given.
 * @typedef {object} Bench
 * @property {string} outDir
 * @property {Awaited<ReturnType<typeof startModel>>} model
 * @property {ReturnType<typeof startClients>} clients
 * @property {boolean} quick
 * @property {(text: string) => void} say
 */

const OUT_DIR = '.wrangler/bench/dist';
const DOCUMENT = join(ROOT, 'docs', 'performance.md');
const PARTS = {
  turns: { measure: measureTurns, tell: tellTurns },
  steps: { measure: measureSteps, tell: tellSteps },
  pages: { measure: measurePages, tell: tellPages },
  memory: { measure: measureMemory, tell: tellMemory },
  rows: { measure: measureRows, tell: tellRows },
  database: { measure: measureDatabase, tell: tellDatabase },
  fresh: { measure: measureFresh, tell: tellFresh },
};
/** So long is looked at the machine before a part. */
const LOOK_MS = 5000;
/** A machine counts as left alone where others take no more of its processors than that. */
const QUIET = 0.1;
const USAGE = `usage: npm run bench -- [--only ${Object.keys(PARTS).join(',')}] [--quick] [--dist <folder of a build>]`;

const say = (text) => console.log(text);

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        dist: { type: 'string' },
      },
    });
    const only = values.only?.split(',') ?? Object.keys(PARTS);
    if (only.every((name) => Object.hasOwn(PARTS, name))) return { ...values, only };
  } catch {
    // As for a part that there is not.
  }
  throw new Trouble(USAGE);
}

/** The build's own formatter has the last word on the document. */
async function write(name, text) {
  writeFileSync(DOCUMENT, withPart(readFileSync(DOCUMENT, 'utf8'), name, text));
  await run('oxfmt', [DOCUMENT]);
}

async function main() {
  const { only, quick, dist } = readOptions();
  const outDir = dist ?? OUT_DIR;
  if (process.platform !== 'linux') throw new Trouble('The bench reads /proc: it needs Linux.');
  if (dist === undefined) {
    await install(say);
    await build(say, outDir, { deployed: true });
  }
  readFileSync(builtConfig(outDir));
  const made = await describeMachine();
  const begun = performance.now();
  const model = await startModel();
  const clients = startClients();
  try {
    for (const name of only) {
      say(`\n${name} …`);
      const others = await takenByOthers(LOOK_MS);
      const share = `${Math.round(100 * others)} % of its processors`;
      const state =
        others > QUIET
          ? `**The machine was busy**: others took ${share} before it began, and these figures say little.`
          : `Others took ${share} before it began.`;
      const partBegun = performance.now();
      const { measure, tell } = PARTS[name];
      const text = tell(await measure({ outDir, model, clients, quick, say }));
      const seconds = (performance.now() - partBegun) / 1000;
      const command = `npm run bench -- --only ${name}`;
      const told = `\`${command}\` on ${made.date}, commit ${made.commit}, ${made.machine}, in ${shown(seconds)} s. ${state}`;
      say(`\n${told}\n\n${text}`);
      if (!quick) await write(name, `${told}\n\n${text}`);
      await model.control('reset');
    }
  } finally {
    clients.end();
    model.end();
  }
  say(
    `\nAll of it: ${shown((performance.now() - begun) / 60_000)} minutes.${quick ? ' Nothing was written.' : ''}`,
  );
}

// Everything that was started ends with this process, if it is let end by itself.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
try {
  await main();
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
