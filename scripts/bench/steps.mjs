// Where the time of a turn goes: the running product's calls of other services, in the order in which they come.
import { setTimeout as pause } from 'node:timers/promises';
import { call, callForJson } from './call.mjs';
import { shown, sum, table } from './figures.mjs';
import { furnish, newPeople } from './people.mjs';
import { newFolder, removeFolder, startProduct } from './runtime.mjs';

const PEOPLE = 10;
const WARM_UP_TURNS = 30;
const TURNS = 150;
const PAUSE_MS = 60;

/**
 * What happens in a turn, in its order, with the mean time at which it does. What comes more than once in a turn has a
 * number; what does not come in most turns is left out.
 * @param {{ begunAt: number, first: number, marks: [string, number][] }[]} turns
 */
export function stepsOf(turns) {
  const seen = new Map();
  for (const { begunAt, first, marks } of turns) {
    const times = new Map();
    for (const [name, at] of marks) {
      // What comes after the first token nobody waits for.
      if (at - begunAt > first) continue;
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      const key = time === 1 ? name : `${name} (${time})`;
      seen.set(key, [...(seen.get(key) ?? []), at - begunAt]);
    }
  }
  const mean = (values) => sum(values) / values.length;
  const steps = [...seen]
    .filter(([, times]) => times.length > turns.length / 2)
    .map(([name, times]) => ({ name, at: mean(times) }))
    .toSorted((a, b) => a.at - b.at);
  return [...steps, { name: 'the reader has the first token', at: mean(turns.map(({ first }) => first)) }];
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureSteps({ outDir, model, clients, quick }) {
  const folder = newFolder();
  const product = await startProduct({ outDir, modelUrl: model.url, folder, isCounted: true });
  try {
    await furnish(product);
    const people = await newPeople(product, PEOPLE);
    const way = { name: 'Loreloom', kind: 'product', origin: product.origin, people };
    const turn = async (index) => {
      const { firsts, begun } = await clients.ask('sequence', {
        ...{ way, count: 1, from: index, pauseMs: 0 },
        scenario: 'tokens n=3 ms=0',
      });
      await pause(PAUSE_MS);
      const { marks } = await callForJson(`${product.origin}/bench/take`);
      return { begunAt: begun[0], first: firsts[0], marks };
    };
    for (let index = 0; index < (quick ? 5 : WARM_UP_TURNS); index += 1) await turn(index);
    await call(`${product.origin}/bench/note`, 'yes');
    const turns = [];
    for (let index = 0; index < (quick ? 20 : TURNS); index += 1) turns.push(await turn(index));
    return { turns };
  } finally {
    await product.end();
    removeFolder(folder);
  }
}

/** @param {Awaited<ReturnType<typeof measureSteps>>} seen */
export function tellSteps({ turns }) {
  const steps = stepsOf(turns);
  return [
    `Means of ${turns.length} turns one after another in chats under way, in ms since the message was sent. The product is watched here, which makes it a little slower; the clock inside tells whole milliseconds.`,
    table(
      ['', 'at', 'since the line before'],
      steps.map(({ name, at }, index) => [name, shown(at), shown(at - (steps[index - 1]?.at ?? 0))]),
    ),
  ].join('\n\n');
}
