// What the people of a day need: fills D1 with a hundredth of the rows, counts what each action asks of the platform, replays
// the busiest minute at a hundredth of its rate, and computes from these counts which limit is reached first.
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { CRONS } from '../../../src/jobs/schedule.ts';
import { call } from '../clients.mjs';
import { formatNumber, formatTable, median, nameStatement, percentile, sum } from '../figures.mjs';
import { readProcessorMs, startBusyMeter } from '../machine.mjs';
import { createProductTarget } from '../targets.mjs';
import { createUsers } from '../users.mjs';
import { createActions } from './actions.mjs';
import * as assumed from './assumptions.mjs';
import { formatCeilings, formatFirstBroken, formatUnlimited, listCeilings, sumActions } from './ceilings.mjs';
import { fillDatabase } from './fill.mjs';

const { ACTIONS_A_DAY, MEASURED_PEOPLE_A_DAY, PEAK_FACTOR, ROWS, SCALE } = assumed;
const SEND = 'send a message';
/** A reply of a second: how long replies take changes what objects do, and nothing of D1 (docs/tables/performance.md). */
const REPLY = 'tokens n=40 ms=25';
const SIZE = { people: MEASURED_PEOPLE_A_DAY * SCALE, seconds: 300, users: 300, alone: 20, alarmMs: 125_000 };
const QUICK_SIZE = { people: 1000, seconds: 10, users: 60, alone: 4, alarmMs: 1000 };
const SETTLE_MS = 1000;
const SLOW_MS = 1000;
/** Counts that are one number. */
const NUMBERS = ['d1_reads', 'd1_writes', 'd1_rows_read', 'd1_rows_written', 'kv_reads', 'kv_writes'];
/** Statements of crons that read more rows than this in a run are listed. */
const MANY_ROWS = 500;

const divide = (counts, by) =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => {
      if (typeof count === 'number') return [name, count / by];
      return [name, Array.isArray(count) ? count : divide(count, by)];
    }),
  );
const take = async ({ origin }) => JSON.parse(await call(`${origin}/bench/take`));
const countObjects = (counts) => sum(Object.values(counts.object_requests));
const countObjectRows = (counts) => sum(Object.values(counts.object_rows_written));
const countRequests = (seconds) => (aDay) =>
  Math.max(1, Math.round(((aDay * MEASURED_PEOPLE_A_DAY * SCALE * PEAK_FACTOR) / 86_400) * seconds));

async function request(origin, { path, ...options }) {
  const answer = await fetch(origin + path, { ...options, redirect: 'manual' });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}: ${body.slice(0, 300)}`);
}

/** Counts each action while nothing else is done. */
async function countAlone(product, { actions, size }) {
  const counts = {};
  for (const [name, create] of Object.entries(actions)) {
    // The first request reads what the Worker keeps in memory.
    await request(product.origin, create(0));
    await pause(SETTLE_MS);
    await take(product);
    for (let n = 1; n <= size.alone; n += 1) await request(product.origin, create(n));
    await pause(SETTLE_MS);
    counts[name] = divide(await take(product), size.alone);
  }
  return counts;
}

/** The requests of the replay, each at a time of its own. */
function listEvents(actions, { alone, seconds, users }) {
  const events = [];
  for (const [action, aDay] of Object.entries(ACTIONS_A_DAY)) {
    const count = countRequests(seconds)(aDay);
    for (let n = 0; n < count; n += 1) {
      const at = ((n + Math.random()) / count) * seconds * 1000;
      // Those that were done alone cannot be done again by the same person.
      const own = action === SEND ? { turn: n % users } : { request: actions[action](alone + 1 + n) };
      events.push({ at, action, ...own });
    }
  }
  return events.toSorted((a, b) => a.at - b.at);
}

async function replay(bench, product, { actions, target, size }) {
  const events = listEvents(actions, size);
  await take(product);
  const processor = readProcessorMs(product.pid);
  const readBusyShare = startBusyMeter();
  const seen = await bench.ask('replay', { target, events, scenario: REPLY });
  const cores = {
    own: (readProcessorMs(product.pid) - processor) / (size.seconds * 1000),
    all: readBusyShare() * availableParallelism(),
  };
  await pause(size.alarmMs);
  return { seen, cores, counted: await take(product), events };
}

/** What one message of the replay asked: all that was counted, without what the other actions ask alone. */
function countMessage({ counted, events }, counts) {
  const others = events.filter(({ action }) => action !== SEND);
  const compute = (read) =>
    (read(counted) - sum(others.map(({ action }) => read(counts[action])))) / (events.length - others.length);
  const simple = NUMBERS.map((name) => [name, compute((count) => count[name])]);
  return {
    ...Object.fromEntries(simple),
    object_requests: { all: compute(countObjects) },
    object_rows_written: { all: compute(countObjectRows) },
  };
}

async function countCrons({ origin }) {
  const rows = [];
  for (const [name, cron] of Object.entries(CRONS)) {
    await call(`${origin}/bench/record`, 'yes');
    await call(`${origin}/bench/take`);
    const begun = performance.now();
    await call(`${origin}/bench/cron`, cron);
    const ms = performance.now() - begun;
    const counts = JSON.parse(await call(`${origin}/bench/take`));
    await call(`${origin}/bench/record`, 'no');
    rows.push({ name, ms, counts });
  }
  return rows;
}

const formatCounts = (counts) =>
  formatTable(
    'action | a day for one person | D1: reading statements | writing | rows read | rows written | object requests | rows written in objects | KV reads | KV writes',
    [
      ...Object.entries(ACTIONS_A_DAY).map(([name, aDay]) => [name, aDay, ...listCounts(counts[name])]),
      ['one person’s day', '', ...listCounts(null, (read) => sumActions(counts, read))],
    ],
  );

const COUNTED = [
  (count) => count.d1_reads,
  (count) => count.d1_writes,
  (count) => count.d1_rows_read,
  (count) => count.d1_rows_written,
  countObjects,
  countObjectRows,
  (count) => count.kv_reads,
  (count) => count.kv_writes,
];
function listCounts(counts, evaluate = (read) => read(counts)) {
  return COUNTED.map((read) => evaluate(read));
}

function formatReplay({ seen, events }, seconds) {
  const groups = Map.groupBy(seen, ({ action }) => action);
  return formatTable(
    'action | requests | a second | failed | median, ms | 95 % | 99 %',
    [...groups].map(([action, own]) => {
      const times = own.flatMap(({ ms }) => (ms === null ? [] : [ms]));
      return [
        ...[action, own.length, own.length / seconds, own.filter(({ failure }) => failure !== null).length],
        ...[median(times), percentile(times, 0.95), percentile(times, 0.99)],
      ];
    }),
  ).concat(`\n\nAll of it: ${formatNumber(events.length / seconds)} requests a second.`);
}

/** The requests that took long, and when they were sent: people wait together where the machine or the runtime did. */
function describeSlow({ seen }) {
  const slow = seen.filter(({ ms }) => ms > SLOW_MS);
  const sent = slow.map(({ at }) => at / 1000);
  if (slow.length === 0) return `No request took over ${SLOW_MS / 1000} s.`;
  const [first, half, last] = [0, 0.5, 1].map((share) => formatNumber(percentile(sent, share)));
  return `${slow.length} requests took over ${SLOW_MS / 1000} s; they were sent ${first} to ${last} s after the beginning, half of them before ${half} s.`;
}

/** Who writes the rows of D1 in the replay, the most first. */
function listWriters({ counted }) {
  const writers = Object.entries(counted.written_by).filter(([statement]) => statement.startsWith('D1: '));
  const names = Map.groupBy(writers, ([statement]) => nameStatement(statement.slice(4)));
  return [...names]
    .map(([name, own]) => [name, sum(own.map(([, rows]) => rows))])
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, rows]) => `${name} ${formatNumber(rows)}`)
    .join('; ');
}

const formatCrons = (crons) =>
  formatTable(
    'cron | calls of D1, objects and KV | D1 statements | rows read | rows written | all of it, ms',
    crons.map(({ name, ms, counts }) => [
      ...[name, counts.d1_calls + countObjects(counts) + counts.kv_reads + counts.kv_writes],
      ...[counts.d1_reads + counts.d1_writes, counts.d1_rows_read, counts.d1_rows_written, ms],
    ]),
  );

/** The statements of the crons that read many rows. */
function formatScans(crons) {
  const rows = crons.flatMap(({ name, counts }) =>
    [...Map.groupBy(counts.statements, ({ sql }) => sql)].map(([sql, same]) => {
      const read = sum(same.map((one) => one.read));
      return [name, nameStatement(sql), same.length, read, Math.max(...same.map(({ ms }) => ms))];
    }),
  );
  const many = rows.filter(([, , , read]) => read > MANY_ROWS).toSorted((a, b) => b[3] - a[3]);
  return formatTable('cron | statement | times | rows read, all times | longest, ms', many);
}

const formatRows = ({ kinds }) =>
  formatTable(
    'rows | a day for one person | kept, days | filled in | bytes of one, with its indexes',
    kinds.map(({ kind, rows, bytesOfRow }) => [kind, ROWS[kind].aDay, ROWS[kind].keptDays, rows, bytesOfRow]),
  );

function formatFailures({ seen }) {
  const failed = seen.filter(({ failure }) => failure !== null);
  const texts = [...Map.groupBy(failed, ({ action, failure }) => `${action}: ${failure}`)];
  return texts.slice(0, 5).map(([text, same]) => `**Failed** ${same.length} times: ${text}`);
}

/** @param {import('../run.mjs').Bench} bench */
export async function measureCapacity(bench) {
  const { quick, say, startProduct } = bench;
  const size = quick ? QUICK_SIZE : SIZE;
  const product = await startProduct({ isCounted: true, variables: { RATE_LIMITS: 'on' } });
  const begun = performance.now();
  const filled = await fillDatabase(product, size.people, say);
  const fillSeconds = (performance.now() - begun) / 1000;
  const users = await createUsers(product, size.users);
  const once = size.alone + 2 + countRequests(size.seconds)(ACTIONS_A_DAY['return after an hour']);
  const { accounts, characters } = filled.counts;
  const actions = await createActions(product, users, { accounts, characters, once });
  say('  each action alone …');
  const counts = await countAlone(product, { actions, size });
  say(`  the busiest minute, for ${size.seconds} s …`);
  const target = createProductTarget(product, users);
  const replayed = await replay(bench, product, { actions, target, size });
  counts[SEND] = countMessage(replayed, counts);
  say('  the crons …');
  const crons = await countCrons(product);
  const ceilings = listCeilings(filled.bytesOfPerson, counts);
  return [
    '### What breaks first',
    formatFirstBroken(ceilings),
    formatCeilings(ceilings),
    'Use is for each size after a year; what is over its limit is bold. The same, where no limit is published or none is near:',
    formatUnlimited(counts),
    '### Rows in D1',
    `${formatNumber(filled.bytes / 1e6)} MB for ${formatNumber(size.people)} people a day, put in within ${formatNumber(fillSeconds)} s; ${formatNumber(filled.bytesOfPerson / 1000)} kB for each.`,
    formatRows(filled),
    '### What each action asks',
    `Means of ${size.alone} requests of each action alone, with what follows them, in the filled database with rate limits on; of a message, what the busiest minute counted beyond the others, so with the alarms of sittings in which somebody writes each half minute. A row written counts once more for each index. Static files and hits of the shared cache ask nothing.`,
    formatCounts(counts),
    '### The busiest minute',
    `${formatNumber(MEASURED_PEOPLE_A_DAY)} people a day, ${PEAK_FACTOR} times the mean rate, at a hundredth of it for ${formatNumber(size.seconds)} s, with replies of one second. Of a message the time is that to its first token. The product's runtime took ${formatNumber(replayed.cores.own)} of a processor core, and all processes of the machine ${formatNumber(replayed.cores.all)} of ${availableParallelism()}: clients, model and what others ran on it at the same time. With much more than the first, times say little.`,
    formatReplay(replayed, size.seconds),
    describeSlow(replayed),
    `Who writes the rows of D1 in the replay: ${listWriters(replayed)}.`,
    ...formatFailures(replayed),
    '### Crons',
    `Each ran once in the filled database, with a batch of everything that has one to do.`,
    formatCrons(crons),
    `Statements that read more than ${MANY_ROWS} rows. While D1 runs one, it does nothing else.`,
    formatScans(crons),
  ].join('\n\n');
}
