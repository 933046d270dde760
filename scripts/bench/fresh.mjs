// What whoever comes first waits for: a Worker that has just been started answers its first page and its first message.
// Time on the clock, and processor time of the whole runtime, beside the bare Worker's.
import { call } from './call.mjs';
import { median, shown, table } from './figures.mjs';
import { processorMs } from './machine.mjs';
import { furnish, newPeople } from './people.mjs';
import { newFolder, removeFolder, startBare, startProduct } from './runtime.mjs';

const STARTS = 5;
const LATER = 10;
const SCENARIO = 'tokens n=3 ms=0';

async function timed(pid, act) {
  const [begun, processor] = [performance.now(), processorMs(pid)];
  await act();
  return { ms: performance.now() - begun, processor: processorMs(pid) - processor };
}

/** What is asked of a runtime that has just begun: the same twice, then some more, of which the middle counts. */
async function firsts(server, ask) {
  const first = await timed(server.pid, () => ask(0));
  const second = await timed(server.pid, () => ask(1));
  const later = [];
  for (let time = 0; time < LATER; time += 1) later.push(await timed(server.pid, () => ask(2 + time)));
  const mid = (key) => median(later.map((one) => one[key]));
  return { first, second, later: { ms: mid('ms'), processor: mid('processor') } };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureFresh({ outDir, model, clients, quick, say }) {
  const folders = [newFolder(), newFolder()];
  const [productOptions, bareOptions] = folders.map((folder) => ({ outDir, modelUrl: model.url, folder }));
  const seen = [];
  try {
    const prepared = await startProduct(productOptions);
    await furnish(prepared);
    const people = await newPeople(prepared, LATER + 2);
    await prepared.end();
    const starts = quick ? 2 : STARTS;
    for (let start = 0; start < starts; start += 1) {
      say(`  start ${start + 1} of ${starts} …`);
      const talk = (way) => async (index) => {
        await clients.ask('sequence', { way, count: 1, from: index, pauseMs: 0, scenario: SCENARIO });
      };
      const bare = await startBare(bareOptions);
      try {
        const ready = processorMs(bare.pid);
        const way = { name: 'bare Worker + object', kind: 'bare', origin: bare.origin };
        const pages = await firsts(bare, () => call(`${bare.origin}/`));
        seen.push({ name: way.name, ready, pages, messages: await firsts(bare, talk(way)) });
      } finally {
        await bare.end();
      }
      const product = await startProduct(productOptions);
      try {
        const ready = processorMs(product.pid);
        const way = { name: 'Loreloom', kind: 'product', origin: product.origin, people };
        const pages = await firsts(product, () => call(`${product.origin}/en/discover`));
        seen.push({ name: way.name, ready, pages, messages: await firsts(product, talk(way)) });
      } finally {
        await product.end();
      }
    }
  } finally {
    folders.forEach(removeFolder);
  }
  return { seen, starts: seen.length / 2 };
}

/** @param {Awaited<ReturnType<typeof measureFresh>>} seen */
export function tellFresh({ seen, starts }) {
  const names = ['bare Worker + object', 'Loreloom'];
  const mid = (name, of) => median(seen.filter((one) => one.name === name).map(of));
  const cell = (name, what, which) =>
    `${shown(mid(name, (one) => one[what][which].ms))} (${shown(mid(name, (one) => one[what][which].processor))})`;
  const begun = (name) => mid(name, ({ ready }) => ready);
  const extra = (what) =>
    mid('Loreloom', (one) => one[what].first.processor) - mid('Loreloom', (one) => one[what].later.processor);
  return [
    `Medians of ${starts} starts, in ms; in brackets processor time of the whole runtime. The storage was there before; each message is one of another person to a conversation that no object holds yet.`,
    table(
      [
        '',
        'until it listens: processor',
        'first page',
        'second',
        'later',
        'first message',
        'second',
        'later',
      ],
      names.map((name) => [
        name,
        shown(begun(name)),
        ...['pages', 'messages'].flatMap((what) =>
          ['first', 'second', 'later'].map((which) => cell(name, what, which)),
        ),
      ]),
    ),
    `Reading the Worker's modules takes ${shown(begun('Loreloom') - begun('bare Worker + object'))} ms of a processor more than the bare Worker's one; the first page ${shown(extra('pages'))} ms more than a later one, the first message ${shown(extra('messages'))} ms more.`,
  ].join('\n\n');
}
