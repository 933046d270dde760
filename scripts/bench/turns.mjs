// What the product adds to a reply: the time to its first token, the time between tokens, and how many turns a machine
// gets through in a second; beside the model server alone and the bare Worker, one after the other in the same run.
import { added, median, percentile, shown, table, verdict } from './figures.mjs';
import { processorMs } from './machine.mjs';
import { furnish, newPeople } from './people.mjs';
import { newFolder, removeFolder, startBare, startProduct } from './runtime.mjs';

const ROUNDS = 10;
/** So few that no object of a chat under way waits ten seconds while the other ways have their round. */
const TURNS_A_ROUND = 20;
const WARM_UP_TURNS = 30;
/** Nobody sends sooner; and what a turn leaves to be done after its reply is no part of the next one's beginning. */
const PAUSE_MS = 100;
const PEOPLE = 200;
/** An object leaves memory some ten seconds after it was asked last: of few each is asked again before, of many none is. */
const SITUATIONS = [
  { name: 'a chat under way', objects: 10 },
  { name: 'one that rested', objects: PEOPLE },
];
const TOKEN_MS = 20;
/** One alone, a busy room, a busy house. */
const CROWDS = [
  { streams: 1, tokens: 250, spreadMs: 0, begun: 'alone' },
  { streams: 50, tokens: 250, spreadMs: 0, begun: 'all in one moment' },
  { streams: 50, tokens: 250, spreadMs: 2500, begun: 'within 2.5 s' },
  { streams: 200, tokens: 400, spreadMs: 0, begun: 'all in one moment' },
  { streams: 200, tokens: 400, spreadMs: 4000, begun: 'within 4 s' },
];
const AT_ONCE = 16;
const SECONDS = 8;
const AIMS = { firstMedianMs: 5, first95Ms: 10, gap95Ms: 60 };

async function firstTokens(ways, { clients, rounds, turns, objects }) {
  const firsts = new Map(ways.map(({ name }) => [name, []]));
  let from = 0;
  for (let round = -1; round < rounds; round += 1) {
    // Each object is there before anything is measured.
    const count = round === -1 ? Math.max(WARM_UP_TURNS, objects) : turns;
    for (const way of ways) {
      const seen = await clients.ask('sequence', {
        ...{ way: { ...way, objects }, count, from, pauseMs: PAUSE_MS },
        scenario: 'tokens n=3 ms=0',
      });
      if (round >= 0) firsts.get(way.name).push(...seen.firsts);
    }
    from += count;
  }
  return ways.map(({ name }) => {
    const times = firsts.get(name);
    return { name, median: median(times), p95: percentile(times, 0.95), turns: times.length };
  });
}

async function crowd(ways, { streams, tokens, spreadMs, begun }, clients) {
  const rows = [];
  for (const way of ways) {
    const scenario = `tokens n=${tokens} ms=${TOKEN_MS}`;
    const seen = await clients.ask('streams', { way, count: streams, spreadMs, scenario });
    const [first, first95] = [median(seen.firsts), percentile(seen.firsts, 0.95)];
    const gaps = [0.5, 0.95, 0.99].map((share) => percentile(seen.gaps, share));
    rows.push({
      ...{ streams, begun, name: way.name, first, first95, gaps },
      whole: seen.whole,
      failure: seen.failure,
    });
  }
  return rows;
}

function firstTable(firsts) {
  return table(
    ['time to the first token, ms', 'way', 'median', '95 %', 'to the bare Worker, median', '95 %'],
    firsts.flatMap(({ situation, rows }) => {
      const [alone, bare] = rows;
      return rows.map((row) => [
        situation,
        row.name,
        row === alone ? shown(row.median) : added(row.median, alone.median),
        row === alone ? shown(row.p95) : added(row.p95, alone.p95),
        `${shown(row.median / bare.median)}×`,
        `${shown(row.p95 / bare.p95)}×`,
      ]);
    }),
  );
}

/** Whether the first token comes soon enough, for each situation. */
function firstVerdicts({ situation, rows: [alone, bare, ours] }) {
  return [
    verdict({
      aim: `${situation}: at most ${AIMS.firstMedianMs} ms added at the median`,
      unit: 'ms',
      most: AIMS.firstMedianMs,
      value: ours.median - alone.median,
      why: `The bare Worker adds ${shown(bare.median - alone.median)} of them. What the rest is: «Where the time of a turn goes», below.`,
    }),
    verdict({
      aim: `${situation}: at most ${AIMS.first95Ms} ms added at the 95th percentile`,
      unit: 'ms',
      most: AIMS.first95Ms,
      value: ours.p95 - alone.p95,
      why: `The bare Worker adds ${shown(bare.p95 - alone.p95)} of them.`,
    }),
  ];
}

function crowdTable(all) {
  return table(
    [
      'streams at once',
      'way',
      'whole',
      'first token: median',
      '95 %',
      'gap: median',
      '95 %',
      '99 %',
      '95 % to the bare',
    ],
    all.flatMap((rows) =>
      rows.map((row) => [
        `${row.streams}, ${row.begun}`,
        row.name,
        `${row.whole} of ${row.streams}`,
        shown(row.first),
        shown(row.first95),
        ...row.gaps.map(shown),
        `${shown(row.gaps[1] / rows[1].gaps[1])}×`,
      ]),
    ),
  );
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureTurns({ outDir, model, clients, quick, say }) {
  const folders = [newFolder(), newFolder()];
  const product = await startProduct({ outDir, modelUrl: model.url, folder: folders[0] });
  const bare = await startBare({ outDir, modelUrl: model.url, folder: folders[1] });
  try {
    await furnish(product);
    const people = await newPeople(product, quick ? 128 : PEOPLE);
    const ways = [
      { name: 'the model server alone', kind: 'upstream', origin: model.origin },
      { name: 'bare Worker + object', kind: 'bare', origin: bare.origin, pid: bare.pid },
      { name: 'Loreloom', kind: 'product', origin: product.origin, people, pid: product.pid },
    ];
    say('  the first token …');
    const size = quick ? { rounds: 2, turns: 20 } : { rounds: ROUNDS, turns: TURNS_A_ROUND };
    const firsts = [];
    for (const { name, objects } of SITUATIONS)
      firsts.push({ situation: name, rows: await firstTokens(ways, { clients, objects, ...size }) });
    const crowds = [];
    for (const one of quick ? CROWDS.slice(0, 3) : CROWDS) {
      say(`  ${one.streams} streams, begun ${one.begun} …`);
      crowds.push(await crowd(ways, quick ? { ...one, tokens: 100 } : one, clients));
      await model.control('reset');
    }
    say('  turns a second …');
    const rates = [];
    for (const way of ways) {
      const seconds = quick ? 3 : SECONDS;
      const before = way.pid === undefined ? 0 : processorMs(way.pid);
      const seen = await clients.ask('turns', { way, atOnce: AT_ONCE, seconds, scenario: 'tokens n=3 ms=0' });
      const processor = way.pid === undefined ? null : (processorMs(way.pid) - before) / seen.whole;
      rates.push({ name: way.name, rate: seen.whole / seen.seconds, processor, failure: seen.failure });
      await model.control('reset');
    }
    return { firsts, crowds, rates };
  } finally {
    await Promise.all([product.end(), bare.end()]);
    folders.forEach(removeFolder);
  }
}

/** @param {Awaited<ReturnType<typeof measureTurns>>} seen */
export function tellTurns({ firsts, crowds, rates }) {
  const busiest = crowds.filter((rows) => rows[0].streams === 200).map((rows) => rows[2]);
  const failures = [...crowds.flat(), ...rates].filter(({ failure }) => failure !== null);
  const [, bareRate] = rates;
  const verdicts = [
    ...firsts.flatMap(firstVerdicts),
    ...busiest.flatMap((row) => [
      verdict({
        ...{ aim: `200 streams begun ${row.begun}, all complete`, unit: 'not complete', most: 0 },
        value: row.streams - row.whole,
        why: row.failure ?? '',
      }),
      verdict({
        ...{
          aim: `200 streams begun ${row.begun}, a gap of at most ${AIMS.gap95Ms} ms at the 95th percentile`,
          unit: 'ms',
        },
        most: AIMS.gap95Ms,
        value: row.gaps[1],
        why: 'One processor core runs all of them here, beside the model server and the clients on the other.',
      }),
    ]),
  ];
  return [
    `${firsts[0].rows[0].turns} turns of each, each ${PAUSE_MS} ms after the one before, three tokens each; in brackets what is added to the model server's own time. Under way: ${SITUATIONS[0].objects} chats by turns, whose objects are in memory. That rested: ${SITUATIONS[1].objects} by turns, whose objects have left it. The bare Worker has as many objects.`,
    firstTable(firsts),
    `One token every ${TOKEN_MS} ms, in ms.`,
    crowdTable(crowds),
    `Whole turns of three tokens, ${AT_ONCE} at once; the processor's time is the whole runtime's, with what comes after replies.`,
    table(
      ['turns a second', '', 'of the bare Worker', 'processor of a turn, ms', 'of the bare Worker'],
      rates.map(({ name, rate, processor }) => [
        name,
        shown(rate),
        `${shown(rate / bareRate.rate)}×`,
        ...(processor === null ? ['', ''] : [shown(processor), `${shown(processor / bareRate.processor)}×`]),
      ]),
    ),
    verdicts.map((line) => `- ${line}`).join('\n'),
    ...failures.map(({ name, failure }) => `**Failed**: ${name}: ${failure}`),
  ].join('\n\n');
}
