// What a thousand conversations take of the runtime's memory, each with a reply that is just being written and a reader
// who follows it; beside a thousand objects of the bare Worker that pass the same stream on.
import { setTimeout as pause } from 'node:timers/promises';
import { shown, table } from './figures.mjs';
import { memoryOf } from './machine.mjs';
import { furnish, newPeople } from './people.mjs';
import { newFolder, removeFolder, startBare, startProduct } from './runtime.mjs';

const CONVERSATIONS = 1000;
/** Longer than an object without work stays in memory, so that those of the preparation have gone. */
const SETTLE_MS = 12_000;
const SAMPLES = 5;
const KEY = 'memory';

/** The least of some looks at it: what is there besides is rubbish that has not been collected yet. */
async function settled(pid, waitMs) {
  await pause(waitMs);
  let least = Infinity;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    least = Math.min(least, memoryOf(pid));
    await pause(200);
  }
  return least;
}

async function held(way, pid, { clients, model, count, waitMs, say }) {
  say(`  ${count} conversations: ${way.name} …`);
  await model.control(`shut?key=${KEY}`);
  const before = await settled(pid, waitMs);
  const scenario = `gate n=20 key=${KEY}`;
  const { waiting } = await clients.ask('hold', { way, count, scenario, name: way.name });
  const during = await settled(pid, waitMs);
  await model.control(`open?key=${KEY}`);
  const { whole, failure } = await clients.ask('release', { name: way.name });
  const after = await settled(pid, waitMs);
  await model.control('reset');
  return { name: way.name, count, before, during, after, waiting, whole, failure };
}

/** People who have come in and begun their conversations. */
async function prepared(life, count) {
  const product = await startProduct(life);
  try {
    await furnish(product);
    return await newPeople(product, count);
  } finally {
    await product.end();
  }
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureMemory({ outDir, model, clients, quick, say }) {
  const count = quick ? 100 : CONVERSATIONS;
  const waitMs = quick ? 3000 : SETTLE_MS;
  const folders = [newFolder(), newFolder()];
  const options = { clients, model, count, waitMs, say };
  const rows = [];
  try {
    const bare = await startBare({ outDir, modelUrl: model.url, folder: folders[0] });
    try {
      const way = { name: 'bare Worker + object', kind: 'bare', origin: bare.origin };
      await clients.ask('sequence', { way, count: 20, from: 0, pauseMs: 0, scenario: 'tokens n=3 ms=0' });
      rows.push(await held(way, bare.pid, options));
    } finally {
      await bare.end();
    }
    // In a life of its own: what the preparation leaves behind would be there before, and hide what comes.
    const life = { outDir, modelUrl: model.url, folder: folders[1] };
    const people = await prepared(life, count);
    const product = await startProduct(life);
    try {
      const way = { name: 'Loreloom', kind: 'product', origin: product.origin, people };
      await clients.ask('sequence', { way, count: 20, from: 0, pauseMs: 0, scenario: 'tokens n=3 ms=0' });
      rows.push(await held(way, product.pid, options));
    } finally {
      await product.end();
    }
  } finally {
    folders.forEach(removeFolder);
  }
  return { rows };
}

const MB = 1e6;
const each = ({ during, before, count }) => (during - before) / count;

/** @param {Awaited<ReturnType<typeof measureMemory>>} seen */
export function tellMemory({ rows }) {
  const [bare, ours] = rows;
  const failed = rows.filter(({ whole, count }) => whole < count);
  return [
    `Resident memory of workerd, ${ours.count.toLocaleString('en')} conversations of as many people, each with a reply of which 20 tokens are written and the rest is awaited, and with its reader.`,
    table(
      [
        '',
        'before, MB',
        'with all of them, MB',
        'each, kB',
        'to the bare Worker',
        'when all have ended and gone, MB',
      ],
      rows.map((row) => [
        row.name,
        shown(row.before / MB),
        shown(row.during / MB),
        shown(each(row) / 1000),
        `${shown(each(row) / each(bare))}×`,
        shown(row.after / MB),
      ]),
    ),
    'Before: both have just begun and served twenty turns; for Loreloom, as many people came in and began their conversations in an earlier life of the runtime. Each conversation has its object with a database of its own, a stream from the model and one to the reader.',
    ...failed.map(
      ({ name, whole, count, failure }) =>
        `**Failed**: ${name}: ${whole} of ${count} came to their end. ${failure ?? ''}`,
    ),
  ].join('\n\n');
}
