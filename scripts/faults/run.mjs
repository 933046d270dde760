// `npm run test:faults`: kills the built product again and again while people are at work in it, and has an independent
// checker read all that it left (docs/faults.md).
//   --kills N       how often the runtime is killed, 15 without
//   --seed N        of the first leg; it is printed, and gives the same schedule again
//   --minutes N     no leg is begun after so long
//   --resume        goes on where the run of the same seed and kills was left (.wrangler/faults/results-*.jsonl)
//   --out-dir DIR   a build that is there already
//   --keep          keeps the stores of every leg, not only of those in which something is wrong
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, builtFrom, filesBelow, hashOf, install } from '../lib/prepare.mjs';
import { endAll, ROOT } from '../lib/process.mjs';
import { CHARACTER_ID, FIRST_ROWS } from './first-rows.mjs';
import { runLeg } from './leg.mjs';
import { proveChecker } from './mutations.mjs';
import { Runtime } from './runtime.mjs';
import { startUpstream } from './upstream.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '15' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '240' },
    resume: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    'out-dir': { type: 'string' },
  },
});
/** Each leg has stores of its own, so that what is checked stays small and any leg can be run again alone. */
const KILLS_A_LEG = 25;
const FOLDER = join(ROOT, '.wrangler', 'faults');

const say = (text) => console.log(text);
const [kills, seed, minutes] = [values.kills, values.seed, values.minutes].map(Number);
const results = join(FOLDER, `results-${seed}-${kills}.jsonl`);
const folder = join(FOLDER, `run-${process.pid}`);

const total = {
  kills: 0,
  turns: 0,
  checks: 0,
  violations: 0,
  longestLossMs: 0,
  longestGoneMs: 0,
  counts: {},
};
function add(leg) {
  for (const name of ['kills', 'turns', 'checks', 'violations']) total[name] += leg[name];
  for (const name of ['longestLossMs', 'longestGoneMs']) total[name] = Math.max(total[name], leg[name]);
  for (const [name, count] of Object.entries({ ...leg.acts, ...leg.faults }))
    total.counts[name] = (total.counts[name] ?? 0) + count;
}

async function main() {
  mkdirSync(folder, { recursive: true });
  const outDir = values['out-dir'] ?? process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/faults/dist';
  if (values['out-dir'] === undefined && process.env.LORELOOM_TEST_OUT_DIR === undefined) {
    await install(say);
    await build(say, outDir, { deployed: true });
  }
  // What a result is of: the sources of the product and this harness.
  const made = { product: builtFrom(outDir), harness: hashOf(filesBelow('scripts/faults')) };
  const done =
    values.resume && existsSync(results)
      ? readFileSync(results, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  const isOther = ({ made: then }) =>
    made.product === null || then?.product !== made.product || then.harness !== made.harness;
  if (done.some(isOther))
    throw new Error(`${results} is of another build or another harness: begin anew, without --resume.`);
  if (!values.resume) rmSync(results, { force: true });
  const upstream = await startUpstream({ seed });
  const runtime = new Runtime({ outDir, folder, modelUrl: upstream.url });
  try {
    await runtime.prepare(FIRST_ROWS);
    const began = Date.now();
    for (let leg = 0; leg * KILLS_A_LEG < kills; leg += 1) {
      const known = done.find((one) => one.leg === leg);
      if (known !== undefined) {
        add(known);
        continue;
      }
      if (Date.now() - began > minutes * 60_000) {
        say(`Time is over after ${minutes} minutes; go on with --seed ${seed} --kills ${kills} --resume`);
        break;
      }
      const own = { leg, seed: seed + leg, kills: Math.min(KILLS_A_LEG, kills - leg * KILLS_A_LEG) };
      const told = await runLeg({ ...own, runtime, upstream, characterId: CHARACTER_ID });
      const { violations, wrong, journal, ...result } = told;
      result.violations = wrong;
      say(
        `seed ${own.seed}: ${result.kills} kills, ${result.turns} turns, ${result.checks} checks, ${wrong} violations (${result.seconds} s)`,
      );
      for (const { name, detail } of violations) say(`  ${name}: ${detail}`);
      if (leg === 0 && wrong === 0) {
        const proof = proveChecker(runtime.stores, journal);
        say(`The checker was shown ${proof.shown} ways to spoil these stores and named ${proof.named}.`);
        for (const missed of proof.missed) say(`  ${missed}`);
        result.violations += proof.missed.length;
      }
      add(result);
      appendFileSync(results, `${JSON.stringify({ ...result, made })}\n`);
      if (wrong > 0 || values.keep) keep(own, { journal, violations });
    }
  } finally {
    await runtime.close();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return total;
}

/** Puts the stores and the journal of a leg aside, for whoever looks. */
function keep(leg, { journal, violations }) {
  const kept = join(FOLDER, `kept-${leg.seed}`);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  renameSync(join(folder, 'stores'), join(kept, 'stores'));
  if (existsSync(join(folder, 'runtime.log')))
    renameSync(join(folder, 'runtime.log'), join(kept, 'runtime.log'));
  writeFileSync(join(kept, 'journal.json'), JSON.stringify(journal));
  writeFileSync(join(kept, 'violations.json'), JSON.stringify(violations, null, 2));
  const build = values['out-dir'] === undefined ? '' : ` --out-dir ${values['out-dir']}`;
  say(`  kept in ${kept}; again: npm run test:faults -- --seed ${leg.seed} --kills ${leg.kills}${build}`);
}

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => void endAll().then(() => process.exit(130)));

let code = 1;
try {
  say(`seed ${seed}`);
  await main();
  const acts = Object.entries(total.counts).toSorted(([a], [b]) => a.localeCompare(b));
  say(acts.map(([name, count]) => `${name} ${count}`).join(', '));
  say(
    `The longest that a crash took from a reply was ${total.longestLossMs} ms, ${total.longestGoneMs} ms with the time in which the runtime answered nobody.`,
  );
  say(`${total.kills} kills, ${total.turns} turns, ${total.checks} checks, ${total.violations} violations`);
  code = total.violations === 0 && total.kills === kills ? 0 : 1;
} catch (error) {
  console.error(error);
}
await endAll();
process.exit(code);
