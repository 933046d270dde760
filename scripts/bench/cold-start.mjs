// What the first page and the first message of a Worker that has just started take, on the clock and of the processor,
// compared with the bare Worker. The runtime also starts its local D1, KV and R2, which the bare Worker does not have, so
// a trivial Worker with the product's bindings says what they take.
import { call } from './clients.mjs';
import { formatNumber, formatTable, judgeAim, median } from './figures.mjs';
import { readProcessorMs } from './machine.mjs';
import { createBareTarget, createProductTarget, SHORT_REPLY } from './targets.mjs';
import { createUsers } from './users.mjs';

const STARTS = 5;
const LATER_REQUESTS = 10;
/** The first message's processor time, in times of the bare Worker's. */
const MAX_MESSAGE_RATIO = 10;
/** What reading the modules takes, in times of the bare Worker's whole start. */
const MAX_MODULES_RATIO = 1.5;

async function time(pid, act) {
  const [begun, processor] = [performance.now(), readProcessorMs(pid)];
  await act();
  return { ms: performance.now() - begun, processor: readProcessorMs(pid) - processor };
}

/** The first and second request, and the median of some later ones. */
async function timeRequests(pid, act) {
  const times = [];
  for (let index = 0; index < LATER_REQUESTS + 2; index += 1) times.push(await time(pid, () => act(index)));
  const [first, second, ...later] = times;
  const pick = (key) => median(later.map((one) => one[key]));
  return { first, second, later: { ms: pick('ms'), processor: pick('processor') } };
}

async function measureTrivialStart(worker) {
  const ready = readProcessorMs(worker.pid);
  const messages = await timeRequests(worker.pid, (id) => call(`${worker.origin}/?id=${id}`));
  return { name: 'trivial Worker with the same bindings', ready, messages };
}

async function measureStart(runTurns, target, path) {
  const ready = readProcessorMs(target.pid);
  const pages = await timeRequests(target.pid, () => call(target.origin + path));
  const messages = await timeRequests(target.pid, (from) =>
    runTurns({ target, count: 1, from, scenario: SHORT_REPLY }),
  );
  return { name: target.name, ready, pages, messages };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureColdStart({
  runTurns,
  quick,
  say,
  createFolder,
  startProduct,
  startBare,
  startTrivial,
}) {
  const [folder, bareFolder, trivialFolder] = [createFolder(), createFolder(), createFolder()];
  const preparation = await startProduct({ folder });
  const users = await createUsers(preparation, LATER_REQUESTS + 2);
  await preparation.end();
  const starts = quick ? 2 : STARTS;
  const seen = [];
  for (let start = 0; start < starts; start += 1) {
    say(`  start ${start + 1} of ${starts} …`);
    const bare = await startBare({ folder: bareFolder });
    seen.push(await measureStart(runTurns, createBareTarget(bare), '/'));
    await bare.end();
    const trivial = await startTrivial({ folder: trivialFolder });
    seen.push(await measureTrivialStart(trivial));
    await trivial.end();
    const product = await startProduct({ folder });
    seen.push(await measureStart(runTurns, createProductTarget(product, users), '/en/discover'));
    await product.end();
  }
  const pick = (name, read) => median(seen.filter((one) => one.name === name).map(read));
  const kinds = ['pages', 'messages'];
  const times = kinds.flatMap((kind) => ['first', 'second', 'later'].map((which) => [kind, which]));
  const rows = [...new Set(seen.map(({ name }) => name))].map((name) => [
    ...[name, pick(name, (one) => one.ready)],
    ...times.map(([kind, which]) => {
      if (!seen.some((one) => one.name === name && one[kind])) return '–';
      const [ms, processor] = ['ms', 'processor'].map((key) => pick(name, (one) => one[kind][which][key]));
      return `${formatNumber(ms)} (${formatNumber(processor)})`;
    }),
  ]);
  const read = (kind, which, name = 'Loreloom') => pick(name, (one) => one[kind][which].processor);
  const [[bareName, bareReady], [, trivialReady], [, ready]] = rows;
  const [extraPage, extraMessage] = kinds.map((kind) =>
    formatNumber(read(kind, 'first') - read(kind, 'later')),
  );
  return [
    `Medians of ${starts} starts, in ms; in brackets processor time of the whole runtime. The storage was there before; each message is one of another person to a conversation that no object holds yet; of the trivial Worker, a request that uses D1, KV, R2 and a new object of each kind once.`,
    formatTable(
      ' | until it listens: processor | first page | second | later | first message | second | later',
      rows,
    ),
    `Reading the Worker's modules takes ${formatNumber(ready - trivialReady)} ms of a processor more than the trivial Worker's one; the first page ${extraPage} ms more than a later one, the first message ${extraMessage} ms more.`,
    [
      judgeAim(
        `The first message takes at most ${MAX_MESSAGE_RATIO} times the bare Worker's processor time`,
        read('messages', 'first') / read('messages', 'first', bareName),
        MAX_MESSAGE_RATIO,
        'times',
      ),
      judgeAim(
        `Reading the modules takes at most ${MAX_MODULES_RATIO} times a bare start`,
        (ready - trivialReady) / bareReady,
        MAX_MODULES_RATIO,
        'times',
      ),
    ].join('\n'),
  ].join('\n\n');
}
