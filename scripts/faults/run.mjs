// `npm run test:faults`: kills the built product again and again while simulated users work in it, and has an independent
// checker read what it stored (docs/fault-injection.md).
//   --kills N       the number of kills, 15 by default
//   --seed N        the seed of the first round; it is printed, and repeats the schedule
//   --out-dir DIR   an existing build
//   --keep          keeps the stores of every round, not only those with violations
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install } from '../lib/prepare.mjs';
import { endAll, ROOT } from '../lib/process.mjs';
import { startModelProvider } from './model-provider.mjs';
import { proveChecker } from './mutations.mjs';
import { runRound } from './round.mjs';
import { Runtime } from './runtime.mjs';
import { CHARACTER_ID, SEED_ROWS } from './seed-rows.mjs';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '15' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    keep: { type: 'boolean', default: false },
    'out-dir': { type: 'string', default: process.env.LORELOOM_TEST_OUT_DIR },
  },
});
/** Each round has its own stores: they stay small, and any round can be repeated alone. */
const KILLS_PER_ROUND = 25;
const FOLDER = join(ROOT, '.wrangler', 'faults');

const say = (text) => console.log(text);
const [kills, seed] = [options.kills, options.seed].map(Number);
const folder = join(FOLDER, `run-${process.pid}`);
const total = { kills: 0, turns: 0, checks: 0, violationCount: 0, maxLossMs: 0, maxGapMs: 0, done: {} };

function addToTotal(result) {
  for (const name of ['kills', 'turns', 'checks', 'violationCount']) total[name] += result[name];
  for (const name of ['maxLossMs', 'maxGapMs']) total[name] = Math.max(total[name], result[name]);
  for (const [name, count] of Object.entries(result.done)) total.done[name] = (total.done[name] ?? 0) + count;
}

/** Moves the stores, the log and the journal of a round to a folder of their own. */
function keepRound(round, { journal, violations }) {
  const kept = join(FOLDER, `kept-${round.seed}`);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  for (const name of ['stores', 'runtime.log'])
    if (existsSync(join(folder, name))) renameSync(join(folder, name), join(kept, name));
  writeFileSync(join(kept, 'journal.json'), JSON.stringify(journal));
  writeFileSync(join(kept, 'violations.json'), JSON.stringify(violations, null, 2));
  say(`  kept in ${kept}; to repeat: npm run test:faults -- --seed ${round.seed} --kills ${round.kills}`);
}

async function runRounds(outDir) {
  mkdirSync(folder, { recursive: true });
  const provider = await startModelProvider();
  const runtime = new Runtime({ outDir, folder, modelUrl: provider.url });
  try {
    await runtime.prepare(SEED_ROWS);
    for (let number = 0; number * KILLS_PER_ROUND < kills; number += 1) {
      const left = kills - number * KILLS_PER_ROUND;
      const round = { seed: seed + number, kills: Math.min(KILLS_PER_ROUND, left) };
      const result = await runRound({ ...round, runtime, provider, characterId: CHARACTER_ID });
      say(
        `seed ${round.seed}: ${result.kills} kills, ${result.turns} turns, ${result.checks} checks, ${result.violationCount} violations (${result.seconds} s)`,
      );
      for (const { name, detail } of result.violations) say(`  ${name}: ${detail}`);
      addToTotal(result);
      if (number === 0 && result.violationCount === 0) {
        const proof = proveChecker(runtime.stores, result.journal);
        say(`The checker reported ${proof.named} of ${proof.shown} mutations of these stores.`);
        for (const missed of proof.missed) say(`  ${missed}`);
        total.violationCount += proof.missed.length;
      }
      if (result.violationCount > 0 || options.keep) keepRound(round, result);
    }
  } finally {
    await runtime.close();
    await provider.close();
  }
}

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => void endAll().then(() => process.exit(130)));

let code = 1;
try {
  say(`seed ${seed}`);
  const outDir = options['out-dir'] ?? '.wrangler/faults/dist';
  if (options['out-dir'] === undefined) {
    await install(say);
    await build(say, outDir, { deployed: true });
  }
  await runRounds(outDir);
  const done = Object.entries(total.done).toSorted(([a], [b]) => a.localeCompare(b));
  say(done.map(([name, count]) => `${name} ${count}`).join(', '));
  say(
    `A crash took at most ${total.maxLossMs} ms from a reply, ${total.maxGapMs} ms with the time when the runtime did not answer.`,
  );
  say(
    `${total.kills} kills, ${total.turns} turns, ${total.checks} checks, ${total.violationCount} violations`,
  );
  code = total.violationCount === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
}
await endAll();
process.exit(code);
