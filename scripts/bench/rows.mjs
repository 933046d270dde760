// What a turn asks of the platform, counted, and its price by the platform's list, compared with the bare Worker.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { call } from './clients.mjs';
import {
  computeUsage,
  formatNumber,
  formatTable,
  judgeAim,
  nameStatement,
  priceUsage,
  sum,
} from './figures.mjs';
import { readProcessorMs } from './machine.mjs';
import { createBareTarget, createProductTarget } from './targets.mjs';
import { createUsers } from './users.mjs';

/** A typical reply: a token every 20 ms for five seconds, a little over a thousand characters. */
const TOKENS = 250;
const TOKEN_MS = 20;
const MAX_DOLLARS = 0.03;
const MAX_ROWS = 17;
/** The alarm that watches the replies of a sitting comes this long after the first one began. */
const ALARM_MS = 125_000;
const SETTLE_MS = 2000;
const USERS = 4;
/** The turns of a sitting. */
const ROUNDS = 6;
/** Tokens of a memory note: a few short sentences. */
const NOTE_TOKENS = 60;
const KINDS = [
  { name: 'a new conversation', messages: 0, before: 1, sittings: 1 },
  // From one cut of the history to the next are about twelve turns. Before them, notes of the imported messages are written.
  { name: 'one of 200 messages', messages: 200, before: 20, sittings: 2 },
];
const OBJECTS = ['conversation', 'wallet', 'search'];
const PRICES = JSON.parse(readFileSync(new URL('prices.json', import.meta.url), 'utf8'));

/** Counts the turns of sittings of each user, and the alarm at the end of each. */
async function countTurns({ runTurns, quick }, target, { name, before, sittings, scenario = null }) {
  const rounds = quick ? 1 : ROUNDS;
  const take = async () => JSON.parse(await call(`${target.origin}/bench/take`));
  const run = async (times) => {
    for (let round = 0; round < times; round += 1) {
      await runTurns({ target, count: USERS, concurrency: USERS, spreadMs: 500, scenario });
      // The work that follows a reply belongs to its turn.
      await pause(500);
    }
  };
  await run(before);
  // What follows an import ends in this time. The alarm ends the sitting before the one that is counted.
  await pause(quick ? SETTLE_MS : ALARM_MS);
  await take();
  const parts = [];
  while (parts.length < sittings * 2) {
    const processor = readProcessorMs(target.pid);
    await run(rounds);
    parts.push({ ...(await take()), worker_cpu_ms: readProcessorMs(target.pid) - processor });
    await pause(quick ? 1000 : ALARM_MS);
    parts.push({ ...(await take()), worker_cpu_ms: 0 });
  }
  const turns = USERS * rounds * sittings;
  /** @returns a count for one turn, with its share of the alarms */
  const each = (read) => sum(parts.map(read)) / turns;
  const usages = parts.map((counts) => computeUsage(counts, turns));
  const usage = Object.fromEntries(
    Object.keys(usages[0]).map((key) => [key, sum(usages.map((one) => one[key]))]),
  );
  return { name, parts, turns, each, usage, prices: priceUsage(usage, PRICES.prices) };
}

/** The rows that each kind of statement writes in a turn, the most first. */
function listWritten({ parts, turns }) {
  const written = new Map();
  const statements = parts.flatMap((counts) => Object.entries(counts.written_by));
  for (const [statement, rows] of statements) {
    const [owner, sql] = statement.split(': ', 2);
    const name = `${owner}: ${sql.startsWith('the alarm') ? sql : nameStatement(sql)}`;
    written.set(name, (written.get(name) ?? 0) + rows / turns);
  }
  return [...written].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${formatNumber(count)}`);
}

const USED = ['object_requests', 'object_rows_read', 'object_rows_written'];
const formatObject = ({ each }, name) => [
  ...USED.map((key) => each((counts) => counts[key][name] ?? 0)),
  each((counts) => counts.active_ms[name] ?? 0) / 1000,
];

const D1_USED = ['d1_calls', 'd1_rows_read', 'd1_rows_written'];
const formatDatabase = ({ each }) => [...D1_USED.map((key) => each((counts) => counts[key])), ''];

const countRows = ({ usage }) => usage.object_rows_written + usage.d1_rows_written;
const sumDollars = ({ prices }) => sum(prices.map(({ dollars }) => dollars)) * 1000;

function formatPrices(rows) {
  const lines = rows.at(-1).prices.map(({ name }) => {
    const found = rows.map(({ prices }) => prices.find((price) => price.name === name));
    return [
      PRICES.prices[name].what,
      ...found.map(({ count }) => count),
      ...found.map(({ dollars }) => (dollars * 1000).toFixed(5)),
    ];
  });
  return formatTable(
    ['', ...['of a turn', '$ for 1,000'].flatMap((what) => rows.map(({ name }) => `${name}: ${what}`))].join(
      ' | ',
    ),
    [...lines, ['all of it', ...rows.map(() => ''), ...rows.map((row) => sumDollars(row).toFixed(4))]],
  );
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureRows(bench) {
  const scenario = `tokens n=${TOKENS} ms=${bench.quick ? 2 : TOKEN_MS}`;
  const bare = await bench.startBare({ isCounted: true });
  const bareTarget = { ...createBareTarget(bare), objects: USERS };
  const bareRow = await countTurns(bench, bareTarget, {
    name: 'bare Worker',
    before: 1,
    sittings: 1,
    scenario,
  });
  // The model's name selects the reply: a marker in the message would be indexed and charged as part of it.
  // Its tokens are estimated as those of a known model, so that a cut comes after as many turns as with ordinary words.
  const variables = {
    MODEL_ROLEPLAY_MODEL: `scenario:${scenario} notes=${NOTE_TOKENS}`,
    MODEL_ROLEPLAY_TOKENIZER: 'cl100k',
  };
  const product = await bench.startProduct({ isCounted: true, variables });
  const rows = [];
  for (const { messages, ...kind } of KINDS) {
    bench.say(`  ${kind.name} …`);
    const target = createProductTarget(product, await createUsers(product, USERS, messages));
    rows.push(await countTurns(bench, target, kind));
  }
  const totals = rows.map(sumDollars);
  const highest = Math.max(...rows.map(({ prices: [{ dollars }] }) => dollars)) * 1000;
  const reason = `Of that ${formatNumber(highest)} is the dearest line of the table.`;
  const last = rows.at(-1);
  return [
    `A turn with a reply of ${TOKENS} tokens in ${formatNumber((TOKENS * TOKEN_MS) / 1000)} seconds, one of ${bench.quick ? 1 : ROUNDS} of a sitting. Counted at the statements and calls of the running product, with a share of the alarm at the end of the sitting. In one of 200 messages, with the notes of a whole time from one cut of the history to the next.`,
    formatTable(' | of | calls | rows read | rows written | seconds in memory', [
      ['bare Worker', 'its object', ...formatObject(bareRow, 'bare')],
      ...rows.flatMap((row) => [
        [row.name, 'D1', ...formatDatabase(row)],
        ...OBJECTS.map((name) => [row.name, `the ${name} object`, ...formatObject(row, name)]),
      ]),
    ]),
    `What 1,000 turns cost, in dollars: ${PRICES.of}, as listed on ${PRICES.read} (scripts/bench/prices.json has each price and its source). The model is not in it. Processor time is that of the whole runtime here, D1 and the objects with it, so more than the Worker's own.`,
    formatPrices([bareRow, ...rows]),
    `Who writes the rows of a turn (${last.name}); each index of a table is a row more: ${listWritten(last).join('; ')}.`,
    judgeAim(
      `At most ${MAX_ROWS} rows written by a turn`,
      Math.max(...rows.map(countRows)),
      MAX_ROWS,
      'rows',
    ),
    judgeAim(`At most $${MAX_DOLLARS} for 1,000 turns`, Math.max(...totals), MAX_DOLLARS, 'dollars', reason),
  ].join('\n\n');
}
