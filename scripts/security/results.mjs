// Reads the reports of test runners and formats them as a table by area. Plain JavaScript for Node 20.
import { stripVTControlCharacters } from 'node:util';
import { filesOf } from './areas.mjs';

/** @typedef {{ file: string, name: string, status: 'passed' | 'failed' | 'skipped', why?: string }} Result */

const firstLine = (text = '') =>
  stripVTControlCharacters(text).split('\n').slice(0, 2).join(' ').slice(0, 300);

/** Returns failures for files without any result. @returns {Result[]} */
function missing(results, wanted, output) {
  const seen = new Set(results.map(({ file }) => file));
  return wanted
    .filter((file) => !seen.has(file))
    .map((file) => ({
      file,
      name: '(as a whole)',
      status: 'failed',
      why: output.trim().split('\n').slice(-12).join(' | ').slice(0, 900),
    }));
}

/** Adds a failure for a run that failed without a failed test. @returns {Result[]} */
const silent = (results, code, output) =>
  code !== 0 && results.every(({ status }) => status !== 'failed')
    ? [
        {
          file: '(the run itself)',
          name: '(after its tests)',
          status: 'failed',
          why: output.trim().split('\n').slice(-12).join(' | ').slice(0, 900),
        },
      ]
    : [];

const STATUS = { passed: 'passed', failed: 'failed' };

/** @returns {Result[]} */
export function fromVitest(told, { code, output, wanted, nameOf }) {
  const results = (told?.testResults ?? []).flatMap(({ name, assertionResults, message, status }) =>
    assertionResults.length === 0 && status === 'failed'
      ? [{ file: nameOf(name), name: '(as a whole)', status: 'failed', why: firstLine(message) }]
      : assertionResults.map((one) => ({
          file: nameOf(name),
          name: one.fullName,
          status: STATUS[one.status] ?? 'skipped',
          why: firstLine(one.failureMessages?.[0]),
        })),
  );
  const all = [...results, ...missing(results, wanted, output)];
  return [...all, ...silent(all, code, output)];
}

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

/** @returns {Result[]} */
export function fromPlaywright(told, { code, output, wanted }) {
  const results = (told?.suites ?? []).flatMap(specsOf).flatMap(({ file, title, tests }) =>
    tests.map(({ status, results: tries }) => ({
      file: wanted.find((path) => path.endsWith(`/${file.split('/').at(-1)}`)) ?? file,
      name: title,
      // A test that passes only on a retry counts as failed.
      status: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
      why: firstLine(tries[0]?.error?.message),
    })),
  );
  const all = [...results, ...missing(results, wanted, output)];
  return [...all, ...silent(all, code, output)];
}

/** @param {Result[]} results */
export function totals(results) {
  const count = (status) => results.filter((one) => one.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** Formats the table that is printed at the end. */
export function table(areas, results, { whole, seconds, rounds }) {
  const rows = areas.map((area) => {
    const files = new Set(filesOf(area, whole));
    const { passed, failed, skipped } = totals(results.filter(({ file }) => files.has(file)));
    return [area.name, passed + failed, failed, skipped];
  });
  const known = new Set(areas.flatMap((area) => filesOf(area, whole)));
  const rest = totals(results.filter(({ file }) => !known.has(file)));
  if (rest.passed + rest.failed + rest.skipped > 0)
    rows.push([
      'Known holes of dependencies, and the run itself',
      rest.passed + rest.failed,
      rest.failed,
      rest.skipped,
    ]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = ([name, ...counts]) =>
    `  ${String(name).padEnd(width)}  ${counts.map((count) => String(count).padStart(8)).join('')}`;
  const all = totals(results);
  return [
    '',
    line(['area', 'cases', 'failed', 'skipped']),
    ...rows.map(line),
    line(['all', all.passed + all.failed, all.failed, all.skipped]),
    '',
    `  Each route was asked ${rounds} times, all but once with something made up. ${seconds.toFixed(0)} s.`,
  ].join('\n');
}
