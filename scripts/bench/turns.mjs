// What the product adds to the time until a reply's first token, and how many turns it completes in a second, compared with
// the model server alone and the bare Worker.
import { formatAdded, formatRatio, formatTable } from './figures.mjs';
import { judgeAim, listFailures, median, percentile } from './figures.mjs';
import { readProcessorMs } from './machine.mjs';
import { createBareTarget, createModelTarget, createProductTarget, SHORT_REPLY } from './targets.mjs';
import { createUsers } from './users.mjs';

const ROUNDS = 10;
/** So few that no object in memory waits ten seconds while the other targets have their round. */
const TURNS_PER_ROUND = 20;
const WARM_UP_TURNS = 30;
/** Long enough for the work that follows a reply, which is no part of the next one. */
const PAUSE_MS = 100;
const USERS = 200;
/**
 * An object leaves memory some ten seconds after its last request: ten stay there, of 200 none does. The limits are those of
 * the first token, in times of the bare Worker's.
 */
const SITUATIONS = [
  { situation: 'a chat under way', objects: 10, limits: { median: 2.2, p95: 2.5 } },
  { situation: 'one that rested', objects: USERS, limits: { median: 2.6, p95: 3 } },
];
const CONCURRENT_TURNS = 16;
/** Eight users for each of the concurrent turns, because a user has one reply at a time. */
const CONCURRENT_USERS = 8 * CONCURRENT_TURNS;
const SECONDS = 8;
/** The bare Worker's turns a second, and the product's processor time of a turn, in times of the other's. */
const MAX_RATE_RATIO = 5;
const MAX_PROCESSOR_RATIO = 6;

/**
 * Starts all three targets.
 * @param {import('./run.mjs').Bench} bench
 */
export async function startTargets({ model, startProduct, startBare }, count) {
  const [product, bare] = [await startProduct(), await startBare()];
  const users = await createUsers(product, count);
  return [createModelTarget(model), createBareTarget(bare), createProductTarget(product, users)];
}

/** One row for each target. */
async function measureFirstTokens({ runTurns, quick }, targets, { situation, objects, limits }) {
  const firsts = targets.map(() => []);
  let from = 0;
  for (let round = 0; round <= (quick ? 2 : ROUNDS); round += 1) {
    // The first round creates each object, and is not measured.
    const count = round === 0 ? Math.max(WARM_UP_TURNS, objects) : TURNS_PER_ROUND;
    for (const [index, target] of targets.entries()) {
      const options = { count, from, pauseMs: quick ? 0 : PAUSE_MS, scenario: SHORT_REPLY };
      const seen = await runTurns({ target: { ...target, objects }, ...options });
      if (round > 0) firsts[index].push(...seen.firsts);
    }
    from += count;
  }
  return targets.map(({ name }, index) => {
    const times = firsts[index];
    return {
      ...{ situation, limits, name, turns: times.length },
      ...{ median: median(times), p95: percentile(times, 0.95) },
    };
  });
}

async function measureRate({ ask, quick, model }, target) {
  const before = target.pid && readProcessorMs(target.pid);
  const { complete, perSecond, failure } = await ask('turns', {
    ...{ target: { ...target, objects: CONCURRENT_USERS }, scenario: SHORT_REPLY },
    ...{ concurrency: CONCURRENT_TURNS, seconds: quick ? 3 : SECONDS },
  });
  const processorMs = target.pid && (readProcessorMs(target.pid) - before) / complete;
  await model.control('reset');
  return { name: target.name, perSecond, processorMs, failure };
}

function formatFirstTokens(rows) {
  const [model, bare] = rows;
  const format = (row, key) => (row === model ? row[key] : formatAdded(row[key], model[key]));
  return rows.map((row) => [
    ...[row.situation, row.name, format(row, 'median'), format(row, 'p95')],
    ...[formatRatio(row.median, bare.median), formatRatio(row.p95, bare.p95)],
  ]);
}

function judgeFirstTokens([, bare, product]) {
  const judge = (key, share) => {
    const limit = product.limits[key];
    const aim = `${product.situation}: the first token after at most ${limit} times the bare Worker's time, at the ${share}`;
    return judgeAim(aim, product[key] / bare[key], limit, 'times');
  };
  return [judge('median', 'median'), judge('p95', '95th percentile')];
}

function judgeRates([, bare, product]) {
  return [
    judgeAim(
      `Short turns: at most ${MAX_RATE_RATIO} times fewer a second than the bare Worker's`,
      bare.perSecond / product.perSecond,
      MAX_RATE_RATIO,
      'times',
    ),
    judgeAim(
      `Short turns: at most ${MAX_PROCESSOR_RATIO} times the bare Worker's processor time`,
      product.processorMs / bare.processorMs,
      MAX_PROCESSOR_RATIO,
      'times',
    ),
  ];
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureTurns(bench) {
  const targets = await startTargets(bench, USERS);
  const groups = [];
  for (const situation of SITUATIONS) {
    bench.say(`  the first token: ${situation.situation} …`);
    groups.push(await measureFirstTokens(bench, targets, situation));
  }
  bench.say('  turns a second …');
  const rates = [];
  for (const target of targets) rates.push(await measureRate(bench, target));
  const [, bare] = rates;
  return [
    `${groups[0][0].turns} turns of each, each ${PAUSE_MS} ms after the one before, three tokens each; in brackets what is added to the model server's own time. Under way: ${SITUATIONS[0].objects} chats by turns, whose objects are in memory. That rested: ${SITUATIONS[1].objects} by turns, whose objects have left it. The bare Worker has as many objects.`,
    formatTable(
      'time to the first token, ms | way | median | 95 % | to the bare Worker, median | 95 %',
      groups.flatMap(formatFirstTokens),
    ),
    `Whole turns of three tokens, ${CONCURRENT_TURNS} at once; the processor's time is the whole runtime's, with what comes after replies.`,
    formatTable(
      'turns a second |  | of the bare Worker | processor of a turn, ms | of the bare Worker',
      rates.map(({ name, perSecond, processorMs }) => [
        ...[name, perSecond, formatRatio(perSecond, bare.perSecond)],
        ...(processorMs === undefined ? ['', ''] : [processorMs, formatRatio(processorMs, bare.processorMs)]),
      ]),
    ),
    [...groups.flatMap(judgeFirstTokens), ...judgeRates(rates)].join('\n'),
    ...listFailures(rates),
  ].join('\n\n');
}
