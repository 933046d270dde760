// Replies to many users at once: the time until the first token and between tokens, compared with the model server alone
// and the bare Worker.
import { formatRatio, formatTable, judgeAim, listFailures, median, percentile } from './figures.mjs';
import { SHORT_REPLY } from './targets.mjs';
import { startTargets } from './turns.mjs';

const TOKEN_MS = 20;
const LOADS = [
  { streams: 1, tokens: 250, spreadMs: 0, begun: 'alone' },
  { streams: 50, tokens: 250, spreadMs: 0, begun: 'all in one moment' },
  { streams: 50, tokens: 250, spreadMs: 2500, begun: 'within 2.5 s' },
  { streams: 200, tokens: 400, spreadMs: 0, begun: 'all in one moment' },
  { streams: 200, tokens: 400, spreadMs: 4000, begun: 'within 4 s' },
];
/** The longest gap between tokens at the 95th percentile, by the number of streams. */
const MAX_GAPS_MS = new Map([
  [50, 25],
  [200, 40],
]);

async function measureLoad({ ask, model }, target, { streams, tokens, spreadMs, begun }) {
  const scenario = `tokens n=${tokens} ms=${TOKEN_MS}`;
  const seen = await ask('turns', { target, count: streams, concurrency: streams, spreadMs, scenario });
  await model.control('reset');
  return {
    ...{ streams, begun, name: target.name, complete: seen.complete, failure: seen.failure },
    firsts: [median(seen.firsts), percentile(seen.firsts, 0.95)],
    gaps: [0.5, 0.95, 0.99].map((share) => percentile(seen.gaps, share)),
  };
}

function judgeLoad({ streams, begun, complete, failure, gaps }) {
  const load = `${streams} streams begun ${begun}`;
  const maxGapMs = MAX_GAPS_MS.get(streams);
  const gapAim = `${load}, a gap of at most ${maxGapMs} ms at the 95th percentile`;
  const reason =
    'One processor core runs all of them here, with the model server and the clients on the other.';
  return [
    judgeAim(`${load}, all complete`, streams - complete, 0, 'not complete', failure ?? ''),
    judgeAim(gapAim, gaps[1], maxGapMs, 'ms', reason),
  ];
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureStreams(bench) {
  const loads = bench.quick ? LOADS.slice(0, 3).map((load) => ({ ...load, tokens: 100 })) : LOADS;
  const targets = await startTargets(bench, Math.max(...loads.map(({ streams }) => streams)));
  // A runtime that has just started compiles its code during the first turns.
  for (const target of targets) await bench.runTurns({ target, count: 20, scenario: SHORT_REPLY });
  const groups = [];
  for (const load of loads) {
    bench.say(`  ${load.streams} streams, begun ${load.begun} …`);
    const group = [];
    for (const target of targets) group.push(await measureLoad(bench, target, load));
    groups.push(group);
  }
  const judged = groups.map((group) => group.at(-1)).filter(({ streams }) => MAX_GAPS_MS.has(streams));
  return [
    `One token every ${TOKEN_MS} ms, in ms.`,
    formatTable(
      'streams at once | way | whole | first token: median | 95 % | gap: median | 95 % | 99 % | 95 % to the bare',
      groups.flatMap((group) =>
        group.map(({ streams, begun, name, complete, firsts, gaps }) => [
          ...[`${streams}, ${begun}`, name, `${complete} of ${streams}`, ...firsts, ...gaps],
          formatRatio(gaps[1], group[1].gaps[1]),
        ]),
      ),
    ),
    judged.flatMap(judgeLoad).join('\n'),
    ...listFailures(groups.flat()),
  ].join('\n\n');
}
