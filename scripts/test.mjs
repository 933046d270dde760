// `npm test`: everything that must be true, from a clean clone, with state and ports of its own. It
// ends with one line, `N passed, N failed, N skipped`. Plain JavaScript for Node 20.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findChromium } from './lib/chromium.mjs';
import { findVarnish } from './lib/varnish.mjs';
import { build, checkTools, install, CliError } from './lib/prepare.mjs';
import { endAll, ROOT, run, toolEnvironment } from './lib/process.mjs';

const WORK_DIR = join(ROOT, '.wrangler', 'test');
const OUT_DIR = '.wrangler/test/dist';
/** Where `deploy:check` builds. */
const PRODUCTION_DIR = '.wrangler/deploy-check/production';

const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, a line each, told once more at the end: what is printed in between is long. */
const failures = [];
const say = (text) => console.log(text);

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

const fromVitest = (json) => ({
  passed: json.numPassedTests,
  failed:
    json.numFailedTests +
    json.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
  skipped: json.numPendingTests + json.numTodoTests,
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

/** The tests of one of vitest's projects. */
function vitest(project) {
  const report = join(WORK_DIR, `${project}.json`);
  return suite(
    project,
    'vitest',
    ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    report,
    fromVitest,
  );
}

/** What can be told of the sources without running the product, and its pure rules. */
async function checkSources(built) {
  await check('lint', 'oxlint', []);
  await check('format', 'oxfmt', ['--check']);
  await check('languages', 'node', ['scripts/check-locales.mjs']);
  await check('duplicates', 'jscpd', []);
  await check('dead code', 'knip', []);
  await check('seed', 'node', ['scripts/seed/check.mjs']);
  await built;
  await vitest('unit');
}

/** Whether what is checked out would go out, its types among it. Leaves a build as for production behind. */
async function tryDeployment(built) {
  // Each of them writes the types that Astro makes.
  await built;
  await check('deployment', 'node', ['scripts/deploy/check.mjs']);
}

/** The build: how large it is, and what it does where it is killed and attacked. */
async function tryProduct(built, deployable, env) {
  await built;
  await check('sizes', 'size-limit', [], { LORELOOM_OUT_DIR: OUT_DIR });
  // The runtime killed while people write; a thousand times is `npm run test:faults -- --kills 1000`.
  await check('faults', 'node', ['scripts/faults/run.mjs', '--out-dir', OUT_DIR]);
  // What attackers would try, on the same build; the whole of it is `npm run test:security`.
  const report = join(WORK_DIR, 'security.json');
  await deployable;
  const args = ['scripts/security/run.mjs', '--short', '--report', report, '--built', PRODUCTION_DIR];
  await suite('security', 'node', args, report, (told) => told, env);
}

/** The journeys of people through the build. */
function browse(env) {
  const report = join(WORK_DIR, 'e2e.json');
  return suite('browser', 'playwright', ['test'], report, fromPlaywright, {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
}

async function main() {
  await checkTools();
  await install(say);
  mkdirSync(WORK_DIR, { recursive: true });
  const chromium = await findChromium(say);
  const varnish = await findVarnish(say);

  // Attacks and journeys begin with copies of one state: whoever is first makes it.
  const prepared = join(WORK_DIR, 'prepared');
  rmSync(prepared, { recursive: true, force: true });
  const env = {
    ...{ CHROMIUM_PATH: chromium, VARNISHD_PATH: varnish },
    ...{ LORELOOM_TEST_OUT_DIR: OUT_DIR, LORELOOM_PREPARED_STATE: prepared },
  };
  const built = build(say, OUT_DIR);
  const deployable = tryDeployment(built);
  // Four things beside each other, since none of them keeps two cores busy: the tests in the runtime, the sources, the
  // deployment and the product. Browser tests come when the last three are over.
  await Promise.all([
    vitest('workers'),
    Promise.all([checkSources(built), deployable, tryProduct(built, deployable, env)]).then(() =>
      browse(env),
    ),
  ]);
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
