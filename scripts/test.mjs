// `npm test` from a clean clone, with its own state and ports. It ends with `N passed, N failed, N skipped`.
//   --all   adds what takes long (`npm run test:all`): tests tagged @all, the deployment check, 100 kills, the whole security
//           run, searches with a time budget, all screenshots and Lighthouse. Run it before an issue is resolved.
// Plain JavaScript for Node 20: it runs before anything is installed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findChromium } from './lib/chromium.mjs';
import { findVarnish } from './lib/varnish.mjs';
import { build, checkTools, install, CliError } from './lib/prepare.mjs';
import { endAll, ROOT, run, toolEnvironment } from './lib/process.mjs';

const WORK_DIR = join(ROOT, '.wrangler', 'test');
const OUT_DIR = '.wrangler/test/dist';
const IS_ALL = process.argv.includes('--all');
/** Time for each search for failing property tests, in ms. */
const SEARCH_MS = 60_000;
/** Where `deploy:check` builds. */
const PRODUCTION_DIR = '.wrangler/deploy-check/production';

const MEMORY_DISK = '/dev/shm';
/** What the state of all tests takes at most, in bytes. */
const MAX_STATE_BYTES = 4 * 1024 ** 3;

/** Creates the folder for the state of all tests: in memory if that has room, because a commit on a disk waits for it. */
function createStateDir() {
  const { bavail, bsize } = existsSync(MEMORY_DISK) ? statfsSync(MEMORY_DISK) : { bavail: 0, bsize: 0 };
  return mkdtempSync(join(bavail * bsize > MAX_STATE_BYTES ? MEMORY_DISK : tmpdir(), 'loreloom-test-'));
}

const total = { passed: 0, failed: 0, skipped: 0 };
/** One line per failure, printed again at the end because the output in between is long. */
const failures = [];
const say = (text) => console.log(text);

const stateDir = createStateDir();
process.env.TMPDIR = stateDir;
process.on('exit', () => rmSync(stateDir, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => void endAll().then(() => process.exit(130)));
}

function add({ passed, failed, skipped }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(0)} s`;

/** One command that passes or fails as a whole. */
async function check(name, command, args, env = {}) {
  const began = Date.now();
  const { code, output } = await run(command, args, { env: toolEnvironment(env) });
  add({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
  say(`${code === 0 ? '✓' : '✗'} ${name} (${seconds(began)})`);
  if (code === 0) return;
  say(output.trimEnd());
  failures.push(name);
}

/** A test runner that writes its counts to a JSON file; no file, or none run, is a failure. */
async function suite(name, command, args, report, read, env = {}) {
  const began = Date.now();
  rmSync(report, { force: true });
  const { code, output } = await run(command, args, { env: toolEnvironment(env) });
  const counts = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  if (code === 0 && counts.passed === 0) counts.failed += 1;
  add(counts);
  say(`${counts.failed === 0 ? '✓' : '✗'} ${name}: ${counts.passed} passed (${seconds(began)})`);
  if (counts.failed === 0) return;
  say(output.trimEnd());
  failures.push(
    ...(counts.failures.length > 0 ? counts.failures : ['(as a whole)']).map((text) => `${name}: ${text}`),
  );
}

/** The first line of an error, without a terminal's colours. */
const firstLine = (text = '') => stripVTControlCharacters(text).split('\n')[0].slice(0, 300);

/** Whether a test was left out because it runs in `npm run test:all` only. */
const isLeftOut = ({ status, title }) => status === 'skipped' && / @all/.test(title);

const fromVitest = (json) => ({
  passed: json.numPassedTests,
  failed:
    json.numFailedTests +
    json.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
  skipped:
    json.numPendingTests +
    json.numTodoTests -
    json.testResults.flatMap((file) => file.assertionResults).filter(isLeftOut).length,
  failures: json.testResults
    .filter((file) => file.status === 'failed')
    .flatMap((file) =>
      file.assertionResults.length === 0
        ? [`${relative(ROOT, file.name)}: ${firstLine(file.message)}`]
        : file.assertionResults
            .filter(({ status }) => status === 'failed')
            .map(
              ({ fullName, failureMessages }) =>
                `${relative(ROOT, file.name)} › ${fullName}: ${firstLine(failureMessages[0])}`,
            ),
    ),
});
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
const fromPlaywright = ({ stats, errors, suites }) => ({
  passed: stats.expected,
  // A test that needed a second try is not a good test.
  failed: stats.unexpected + stats.flaky + errors.length,
  skipped: stats.skipped,
  failures: [
    ...errors.map(({ message }) => firstLine(message)),
    ...suites
      .flatMap(specsOf)
      .flatMap(({ file, title, tests }) =>
        tests
          .filter(({ status }) => status === 'unexpected' || status === 'flaky')
          .map(({ results }) => `${file} › ${title}: ${firstLine(results[0]?.error?.message)}`),
      ),
  ],
});

/** The tests of one of vitest's projects, or a part of them such as `1/2`. */
function vitest(project, extraArgs = [], part) {
  const name = part === undefined ? project : `${project} ${part}`;
  const report = join(WORK_DIR, `${name.replace(/\W/g, '-')}.json`);
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  if (part !== undefined) output.push('--shard', part);
  return suite(
    name,
    'vitest',
    ['run', '--project', project, ...output, ...extraArgs],
    report,
    fromVitest,
    IS_ALL ? { LORELOOM_TEST_ALL: '1', SEARCH_MS: String(SEARCH_MS) } : {},
  );
}

/** Checks of the source code that run nothing of the product, and the unit tests. */
async function checkSources(built) {
  await check('lint', 'oxlint', []);
  await check('format', 'oxfmt', ['--check']);
  await check('languages', 'node', ['scripts/check-locales.mjs']);
  await check('duplicates', 'jscpd', []);
  await check('dead code', 'knip', []);
  await check('seed', 'node', ['scripts/seed/check.mjs']);
  // The rest of the security run needs the production build.
  const securityConfig = ['--config', 'tests/security/vitest.config.ts', '--exclude', '**/bundle.test.ts'];
  if (!IS_ALL) await vitest('security-files', securityConfig);
  await built;
  await vitest('unit');
}

/** The build: its size, and that nothing is lost when its runtime is killed. */
async function checkBuild(built) {
  await built;
  await check('sizes', 'size-limit', [], { LORELOOM_OUT_DIR: OUT_DIR });
  const kills = IS_ALL ? '100' : '5';
  await check('faults', 'node', ['scripts/faults/run.mjs', '--kills', kills, '--out-dir', OUT_DIR]);
}

/** Whether this checkout can be deployed, and the attacks of the security run on that production build. */
async function checkDeployment(env) {
  await check('deployment', 'node', ['scripts/deploy/check.mjs']);
  const report = join(WORK_DIR, 'security.json');
  const args = ['scripts/security/run.mjs', '--report', report, '--built', PRODUCTION_DIR];
  await suite('security', 'node', args, report, (results) => results, env);
}

/** Browser journeys through the build. */
function browse(env) {
  const report = join(WORK_DIR, 'e2e.json');
  return suite('browser', 'playwright', ['test'], report, fromPlaywright, {
    ...env,
    ...(IS_ALL ? { LORELOOM_TEST_ALL: '1' } : {}),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
}

async function main() {
  await checkTools();
  await install(say);
  mkdirSync(WORK_DIR, { recursive: true });
  const chromium = await findChromium(say);
  const varnish = await findVarnish(say);

  // Journeys and attacks start from copies of one prepared state, which the first of them creates.
  const prepared = join(WORK_DIR, 'prepared');
  rmSync(prepared, { recursive: true, force: true });
  const env = {
    ...{ CHROMIUM_PATH: chromium, VARNISHD_PATH: varnish },
    ...{ LORELOOM_TEST_OUT_DIR: OUT_DIR, LORELOOM_PREPARED_STATE: prepared },
  };
  const built = build(say, OUT_DIR);
  // Two lanes that take about as long, because one alone does not keep two cores busy.
  await Promise.all([
    Promise.all([built, vitest('workers', [], '1/2')]).then(() => browse(env)),
    Promise.all([checkSources(built), checkBuild(built)]).then(() => vitest('workers', [], '2/2')),
  ]);
  if (IS_ALL) await checkDeployment(env);
}

try {
  await main();
} catch (error) {
  total.failed += 1;
  failures.push('(the run itself)');
  console.error(error instanceof CliError ? error.message : error);
}
await endAll();
if (failures.length > 0) say(['', 'Failed:', ...failures.map((text) => `  ${text}`)].join('\n'));
say(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
