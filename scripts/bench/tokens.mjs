// The processor time that a token of a reply takes: reading it from the provider, the gate, encoding, bursts and
// checkpoints, down to the reader's socket. A turn's fixed cost cancels out: a long reply minus a short one.
import { formatRatio, formatTable, judgeAim, median } from './figures.mjs';
import { pause } from '../lib/process.mjs';
import { readProcessorMs } from './machine.mjs';
import { SHORT_REPLY } from './targets.mjs';
import { startTargets } from './turns.mjs';

const TOKEN_MS = 20;
const ROUNDS = 3;
/** Long enough for the work that follows a reply. */
const SETTLE_MS = 500;
const LOADS = [
  { streams: 1, tokens: [50, 550], spreadMs: 0, maxMs: 0.15 },
  { streams: 200, tokens: [100, 400], spreadMs: 4000, maxMs: 0.06 },
];

/** @returns the processor time of the runtime for these replies, in ms */
async function measureReplies({ runTurns }, target, { streams, tokens, spreadMs }) {
  const before = readProcessorMs(target.pid);
  const scenario = `tokens n=${tokens} ms=${TOKEN_MS}`;
  await runTurns({ target, count: streams, concurrency: streams, spreadMs, scenario });
  await pause(SETTLE_MS);
  return readProcessorMs(target.pid) - before;
}

async function measureLoad(bench, target, { streams, tokens, spreadMs }) {
  const [short, long] = tokens;
  const perToken = [];
  for (let round = 0; round < (bench.quick ? 1 : ROUNDS); round += 1) {
    const shortMs = await measureReplies(bench, target, { streams, spreadMs, tokens: short });
    const longMs = await measureReplies(bench, target, { streams, spreadMs, tokens: long });
    await bench.model.control('reset');
    perToken.push((longMs - shortMs) / (streams * (long - short)));
  }
  return { name: target.name, streams, perToken: median(perToken), all: perToken };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureTokens(bench) {
  const [, ...targets] = await startTargets(bench, Math.max(...LOADS.map(({ streams }) => streams)));
  // A runtime that has just started compiles its code during the first turns.
  for (const target of targets) await bench.runTurns({ target, count: 20, scenario: SHORT_REPLY });
  const groups = [];
  for (const load of LOADS) {
    bench.say(`  ${load.streams} ${load.streams === 1 ? 'stream' : 'streams'} …`);
    const group = [];
    for (const target of targets) group.push(await measureLoad(bench, target, load));
    groups.push(group);
  }
  return [
    `Processor time of the runtime for each token, one every ${TOKEN_MS} ms, the median of ${bench.quick ? 1 : ROUNDS} rounds: long replies minus short ones.`,
    formatTable(
      'streams at once | way | ms a token | least | most | to the bare',
      groups.flatMap((group) =>
        group.map(({ streams, name, perToken, all }) => [
          ...[streams, name, perToken, Math.min(...all), Math.max(...all)],
          formatRatio(perToken, group[0].perToken),
        ]),
      ),
    ),
    LOADS.map(({ streams, maxMs }, index) => {
      const [bare, product] = groups[index];
      const aim = `${streams} ${streams === 1 ? 'stream' : 'streams'}, at most ${maxMs} ms a token`;
      const reason = `The bare Worker takes ${bare.perToken.toFixed(3)} ms.`;
      return judgeAim(aim, product.perToken, maxMs, 'ms', reason);
    }).join('\n'),
  ].join('\n\n');
}
