// What a turn asks of the platform, counted, and what that costs by its list prices.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { callForJson } from './call.mjs';
import { chargedFor, costOf, shown, statementName, sum, table, verdict } from './figures.mjs';
import { processorMs } from './machine.mjs';
import { furnish, newPeople } from './people.mjs';
import { newFolder, removeFolder, startProduct } from './runtime.mjs';

/** A reply as long as most are: a token every 20 ms, five seconds, a little over a thousand characters. */
const TOKENS = 250;
const TOKEN_MS = 20;
const AIM_DOLLARS = 0.03;
/** The alarm that watches over a reply comes so long after it began. */
const ALARM_MS = 33_000;
const SETTLE_MS = 2000;
const KINDS = [
  { name: 'a new conversation', messages: 0, before: 1 },
  { name: 'one of 200 messages', messages: 200, before: 2 },
];

const PRICES = JSON.parse(readFileSync(new URL('prices.json', import.meta.url), 'utf8'));

const take = (origin) => callForJson(`${origin}/bench/take`);

async function turnsOf({ product, people, clients, rounds }) {
  const way = { name: 'Loreloom', kind: 'product', origin: product.origin, people };
  for (let round = 0; round < rounds; round += 1) {
    const seen = await clients.ask('streams', {
      ...{ way, count: people.length, spreadMs: 500 },
      scenario: null,
    });
    if (seen.whole < people.length) throw new Error(`A turn was not whole: ${seen.failure}`);
    // What follows a reply belongs to it.
    await pause(500);
  }
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureRows({ outDir, model, clients, quick, say }) {
  const folder = newFolder();
  const size = { people: 4, rounds: quick ? 1 : 6 };
  const product = await startProduct({
    ...{ outDir, modelUrl: model.url, folder, isCounted: true },
    // The reply by the model's name: a marker in the message would be searched for and paid like a message of its own.
    model: `scenario:tokens n=${TOKENS} ms=${quick ? 2 : TOKEN_MS}`,
  });
  const rows = [];
  try {
    await furnish(product);
    for (const { name, messages, before } of KINDS) {
      say(`  ${name} …`);
      const people = await newPeople(product, size.people, messages);
      const options = { product, people, clients };
      await turnsOf({ ...options, rounds: before });
      // What follows bringing a chat along is over; the alarm is put off by each turn.
      await pause(SETTLE_MS);
      await take(product.origin);
      const processor = processorMs(product.pid);
      await turnsOf({ ...options, rounds: size.rounds });
      const turn = { ...(await take(product.origin)), worker_cpu_ms: processorMs(product.pid) - processor };
      await pause(quick ? 1000 : ALARM_MS);
      const alarm = { ...(await take(product.origin)), worker_cpu_ms: 0 };
      rows.push({ name, turns: size.people * size.rounds, turn, alarm, alarms: size.people });
    }
  } finally {
    await product.end();
    removeFolder(folder);
  }
  return { rows };
}

/** What a turn is charged for: itself, and the alarm that comes after it where nobody writes on within half a minute. */
function chargedOf({ turn, turns, alarm, alarms }) {
  const [own, after] = [chargedFor(turn, turns), chargedFor(alarm, alarms)];
  return Object.fromEntries(Object.entries(own).map(([name, count]) => [name, count + after[name]]));
}

/** Rows that each kind of statement writes in a turn, the most first. */
function writtenBy({ turn, turns }) {
  const written = new Map();
  for (const [told, rows] of Object.entries(turn.written_by)) {
    const [of, sql] = told.split(': ', 2);
    const name = `${of}: ${sql.startsWith('the alarm') ? sql : statementName(sql)}`;
    written.set(name, (written.get(name) ?? 0) + rows / turns);
  }
  return [...written].sort(([, a], [, b]) => b - a);
}

/** @param {Awaited<ReturnType<typeof measureRows>>} seen */
export function tellRows({ rows }) {
  const costs = rows.map((row) => costOf(chargedOf(row), PRICES.prices));
  const thousand = (lines) => sum(lines.map(({ dollars }) => dollars)) * 1000;
  const objects = ['conversation', 'wallet', 'search'];
  const each = (name) => (row) => {
    const value = (counts, times, kind) => (counts[kind][name] ?? 0) / times;
    const both = (kind) => shown(value(row.turn, row.turns, kind) + value(row.alarm, row.alarms, kind));
    return [
      both('object_requests'),
      both('object_rows_read'),
      both('object_rows_written'),
      shown((row.turn.active_ms[name] ?? 0) / row.turns / 1000),
    ];
  };
  const d1 = (row) => [
    shown(row.turn.d1_calls / row.turns + row.alarm.d1_calls / row.alarms),
    shown(row.turn.d1_rows_read / row.turns + row.alarm.d1_rows_read / row.alarms),
    shown(row.turn.d1_rows_written / row.turns + row.alarm.d1_rows_written / row.alarms),
    '',
  ];
  const worst = Math.max(...costs.map(thousand));
  return [
    `A turn with a reply of ${TOKENS} tokens in ${shown((TOKENS * TOKEN_MS) / 1000)} seconds. Counted at the statements and calls of the running product, the watching alarm half a minute later with it.`,
    table(
      ['', 'of', 'calls', 'rows read', 'rows written', 'seconds in memory'],
      rows.flatMap((row) => [
        [row.name, 'D1', ...d1(row)],
        ...objects.map((name) => [row.name, `the ${name} object`, ...each(name)(row)]),
      ]),
    ),
    `What 1,000 turns cost, in dollars: ${PRICES.of}, as listed on ${PRICES.read} (scripts/bench/prices.json has each price and its source). The model is not in it. Processor time is that of the whole runtime here, D1 and the objects with it, so more than the Worker's own.`,
    table(
      [
        '',
        ...rows.map(({ name }) => `${name}: of a turn`),
        ...rows.map(({ name }) => `${name}: $ for 1,000`),
      ],
      [
        ...costs[0].map(({ name }) => {
          const of = costs.map((lines) => lines.find((line) => line.name === name));
          return [
            PRICES.prices[name].what,
            ...of.map(({ count }) => shown(count)),
            ...of.map(({ dollars }) => (dollars * 1000).toFixed(5)),
          ];
        }),
        ['all of it', ...rows.map(() => ''), ...costs.map((lines) => thousand(lines).toFixed(4))],
      ],
    ),
    `Who writes the rows of a turn (${rows.at(-1).name}); each index of a table is a row more: ${writtenBy(
      rows.at(-1),
    )
      .map(([name, count]) => `${name} ${shown(count)}`)
      .join('; ')}.`,
    `- ${verdict({
      ...{ aim: `At most $${AIM_DOLLARS} for 1,000 turns`, unit: 'dollars', most: AIM_DOLLARS, value: worst },
      why: `Of that ${shown(Math.max(...costs.map((lines) => Math.max(...lines.map(({ dollars }) => dollars)) * 1000)))} is the dearest line of the table.`,
    })}`,
  ].join('\n\n');
}
