// `npm run test:security`: tests the protections that docs/security.md lists, and prints a table by area.
//
//   --short          leaves out tests of other suites; `npm test` uses this
//   --long           sends 400 random requests to each route
//   --seed 7         seeds the random requests; the same seed repeats them
//   --rounds 40      the number of random requests for each route
//   --area Roles     runs one area, by the beginning of its name
//   --report <file>  writes the counts as JSON, for `npm test`
//   --built <dir>    uses an existing production build
//   --audit          fails if the registry cannot be asked about known vulnerabilities
//
// Plain JavaScript for Node 20.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { findChromium } from '../lib/chromium.mjs';
import { build, checkTools, install, CliError } from '../lib/prepare.mjs';
import { endAll, ROOT, run, toolEnvironment } from '../lib/process.mjs';
import { findVarnish } from '../lib/varnish.mjs';
import { audited } from './audit.mjs';
import { AREAS, filesOf, RUNNERS } from './areas.mjs';
import { fromPlaywright, fromVitest, table, totals } from './results.mjs';

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261122' },
    rounds: { type: 'string' },
    area: { type: 'string' },
    report: { type: 'string' },
    built: { type: 'string' },
    audit: { type: 'boolean', default: false },
  },
});

const WORK_DIR = join(ROOT, '.wrangler', 'security');
const OUT_DIR = process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/test/dist';
/** The folder of the production build, which lacks the test login of local builds. */
const PRODUCTION_DIR = flags.built ?? '.wrangler/security/dist';
const hasProduction = !flags.short || flags.built !== undefined;
const rounds = flags.rounds ?? (flags.long ? '400' : flags.short ? '8' : '40');
const say = (text) => console.log(text);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => void endAll().then(() => process.exit(130)));
}

const areas = AREAS.filter(({ name }) => flags.area === undefined || name.startsWith(flags.area));
if (areas.length === 0) {
  console.error(
    `No area begins with «${flags.area}»: there are ${AREAS.map(({ name }) => name).join('; ')}.`,
  );
  process.exit(1);
}
const files = [...new Set(areas.flatMap((area) => filesOf(area, !flags.short)))];
const ofRunner = (runner) => files.filter(RUNNERS[runner]);

/** Runs a test runner to its end. @returns its report and its output */
async function report(name, command, args, env) {
  const file = join(WORK_DIR, `${name}.json`);
  rmSync(file, { force: true });
  const { code, output } = await run(command, args(file), { env: toolEnvironment(env(file)) });
  const told = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  return { code, output: stripVTControlCharacters(output), told };
}

/** Files of other suites are selected by name. */
const also = (runner) =>
  ofRunner(runner)
    .filter((path) => !path.startsWith('tests/security/'))
    .join(',');

async function vitest(runner) {
  const wanted = ofRunner(runner);
  if (wanted.length === 0) return [];
  const { code, output, told } = await report(
    runner,
    'vitest',
    (file) => [
      ...['run', '--config', 'tests/security/vitest.config.ts', '--project', `security-${runner}`],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...wanted],
    ],
    () => ({
      SECURITY_SEED: flags.seed,
      SECURITY_ROUNDS: rounds,
      SECURITY_ALSO_UNIT: also('files'),
      SECURITY_ALSO_WORKERS: also('workers'),
      SECURITY_OUT_DIR: OUT_DIR,
      SECURITY_PRODUCTION_DIR: hasProduction ? PRODUCTION_DIR : '',
    }),
  );
  return fromVitest(told, { code, output, wanted, nameOf: (path) => relative(ROOT, path) });
}

async function playwright() {
  const wanted = ofRunner('built');
  if (wanted.length === 0) return [];
  const env = { CHROMIUM_PATH: await findChromium(say), VARNISHD_PATH: await findVarnish(say) };
  const { code, output, told } = await report(
    'built',
    'playwright',
    () => [
      'test',
      '-c',
      'tests/security/playwright.config.ts',
      ...wanted.map((path) => path.split('/').at(-1)),
    ],
    (file) => ({
      ...env,
      LORELOOM_TEST_OUT_DIR: OUT_DIR,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      SECURITY_ALSO_BROWSER: also('built'),
    }),
  );
  return fromPlaywright(told, { code, output, wanted });
}

/** Makes the production build. */
async function productionBuild() {
  say('Building as for production …');
  rmSync(join(ROOT, PRODUCTION_DIR), { recursive: true, force: true });
  const env = { LORELOOM_OUT_DIR: `./${PRODUCTION_DIR}`, LORELOOM_LOCAL_BUILD: '' };
  const { code, output } = await run('astro', ['build'], { env: toolEnvironment(env) });
  if (code !== 0) throw new CliError(`The build failed:\n${output.trim().split('\n').slice(-25).join('\n')}`);
}

async function main() {
  const began = Date.now();
  await checkTools();
  await install(say);
  mkdirSync(WORK_DIR, { recursive: true });
  say(
    `Seed ${flags.seed}, ${rounds} requests for each route. The same again: npm run test:security -- --seed ${flags.seed} --rounds ${rounds}`,
  );
  const needsBuild = files.some((path) => RUNNERS.built(path) || path.endsWith('/bundle.test.ts'));
  if (needsBuild) await build(say, OUT_DIR);
  const isWanted = hasProduction && flags.built === undefined;
  if (isWanted && files.some((path) => path.endsWith('/bundle.test.ts'))) await productionBuild();
  // The runtime and the browser use one core each.
  const [workers, built] = await Promise.all([vitest('workers'), playwright()]);
  const results = [...workers, ...built, ...(await vitest('files'))];
  if (flags.area === undefined && !flags.short) results.push(await audited({ isRequired: flags.audit }));
  say(table(areas, results, { whole: !flags.short, seconds: (Date.now() - began) / 1000, rounds }));
  return results;
}

let results = [];
try {
  results = await main();
} catch (error) {
  results = [
    {
      file: '(the run itself)',
      name: '(the run itself)',
      status: 'failed',
      why: String(error?.message ?? error),
    },
  ];
  console.error(error instanceof CliError ? error.message : error);
}
await endAll();
const { passed, failed, skipped } = totals(results);
const failures = results
  .filter(({ status }) => status === 'failed')
  .map(({ file, name, why }) => `${file} › ${name}: ${why}`);
if (failures.length > 0) say(['', 'Failed:', ...failures.map((text) => `  ${text}`)].join('\n'));
if (flags.report !== undefined)
  writeFileSync(flags.report, JSON.stringify({ passed, failed, skipped, failures }));
say(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
