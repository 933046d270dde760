// The memory of a thousand conversations, each with an unfinished reply and its reader, with a small and with a large
// card: what the runtime takes, compared with a thousand objects of the bare Worker that pass on the same stream, and what
// the Worker's own heap takes, which is what the platform limits. At rest the runtime is compared with a trivial Worker.
import { setTimeout as pause } from 'node:timers/promises';
import { LARGE_CARD, SMALL_CARD, storeCard } from './cards.mjs';
import { call } from './clients.mjs';
import {
  computeCapacity,
  formatNumber,
  formatRatio,
  formatTable,
  judgeAim,
  listFailures,
} from './figures.mjs';
import { readHeapBytes } from './inspector.mjs';
import { readResidentBytes } from './machine.mjs';
import { createBareTarget, createProductTarget, SHORT_REPLY } from './targets.mjs';
import { createUsers } from './users.mjs';

const CONVERSATIONS = 1000;
const WARM_UP_TURNS = 20;
/** Longer than an object without requests stays in memory. */
const SETTLE_MS = 12_000;
const SAMPLES = 5;
/** Longer than the alarm of a new conversation takes, which would otherwise run in the life that is measured. */
const ALARM_MS = 35_000;
/** The model server waits 20 seconds for the replies; a busy machine needs longer to begin a thousand. */
const MAX_WAITS = 5;
const GATE = 'memory';
const MB = 1e6;
/** How much memory the platform gives an isolate, which runs a Worker and those of its objects that are on the same machine. */
const ISOLATE_BYTES = 128 * MB;
const MAX_RATIO = 1.5;
const MAX_HEAP_KB = 300;
const MAX_ABOVE_TRIVIAL_MB = 60;

/** The least of some samples, because garbage that is not collected yet only adds to them. */
async function sampleMemory(pid, waitMs) {
  await pause(waitMs);
  const samples = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    samples.push(readResidentBytes(pid));
    await pause(200);
  }
  return Math.min(...samples);
}

/** Reads the heap last, because that collects the garbage. */
async function measureState(server, waitMs) {
  const resident = await sampleMemory(server.pid, waitMs);
  return { resident, heap: await readHeapBytes(server) };
}

/** Waits until all replies are at the gate. */
async function waitForReplies(model, count) {
  for (let wait = 1; ; wait += 1) {
    try {
      return await model.control(`reached?key=${GATE}&times=${count}`);
    } catch (error) {
      if (wait === MAX_WAITS) throw error;
    }
  }
}

async function measureTarget({ ask, runTurns, model, quick, say }, server, target, count) {
  say(`  ${count} conversations: ${target.name} …`);
  const waitMs = quick ? 3000 : SETTLE_MS;
  await runTurns({ target, count: WARM_UP_TURNS, scenario: SHORT_REPLY });
  await model.control(`shut?key=${GATE}`);
  const before = await measureState(server, waitMs);
  // One after another: this measures what the machine holds, not how it begins them.
  const spreadMs = count * 5;
  const scenario = `gate n=20 key=${GATE}`;
  const ended = ask('turns', { target, count, concurrency: count, spreadMs, scenario });
  await pause(spreadMs);
  await waitForReplies(model, count);
  const during = await measureState(server, waitMs);
  await model.control(`open?key=${GATE}`);
  const { failure } = await ended;
  const after = await measureState(server, waitMs);
  await model.control('reset');
  return {
    ...{ name: target.name, before, during, after, failure },
    each: (during.resident - before.resident) / count,
    eachHeap: (during.heap - before.heap) / count,
  };
}

/** Starts the product with conversations that were begun in an earlier life, whose memory is not measured. */
async function startPrepared({ createFolder, startProduct, quick }, card, count) {
  const folder = createFolder();
  const preparation = await startProduct({ folder });
  await storeCard(preparation.db, card);
  const users = await createUsers(preparation, count, 0, card.id);
  if (!quick) await pause(ALARM_MS);
  await preparation.end();
  const server = await startProduct({ folder, isInspected: true });
  return { server, target: { ...createProductTarget(server, users), name: `Loreloom, ${card.name}` } };
}

async function measureProduct(bench, card, count) {
  const { server, target } = await startPrepared(bench, card, count);
  const row = await measureTarget(bench, server, target, count);
  await server.end();
  return row;
}

/** The memory of the product and of a Worker with the same bindings when both have served some requests. */
async function measureRest(bench) {
  bench.say('  at rest …');
  const waitMs = bench.quick ? 3000 : SETTLE_MS;
  const worker = await bench.startTrivial({ isInspected: true });
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await call(`${worker.origin}/?id=${turn}`);
  const trivial = await measureState(worker, waitMs);
  await worker.end();
  const { server, target } = await startPrepared(bench, SMALL_CARD, WARM_UP_TURNS);
  await bench.runTurns({ target, count: WARM_UP_TURNS, scenario: SHORT_REPLY });
  const product = await measureState(server, waitMs);
  await server.end();
  return { trivial, product };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureMemory(bench) {
  const count = bench.quick ? 100 : CONVERSATIONS;
  const rest = await measureRest(bench);
  const bareServer = await bench.startBare({ isInspected: true });
  const bare = await measureTarget(bench, bareServer, createBareTarget(bareServer), count);
  await bareServer.end();
  const products = [];
  for (const card of [SMALL_CARD, LARGE_CARD]) products.push(await measureProduct(bench, card, count));
  const rows = [bare, ...products];
  const highest = (read) => Math.max(...products.map(read));
  return [
    `Resident memory of workerd, ${formatNumber(count)} conversations of as many people, each with a reply of which 20 tokens are written and the rest is awaited, and with its reader.`,
    formatTable(
      ' | before, MB | with all of them, MB | each, kB | to the bare Worker | when all have ended and gone, MB',
      rows.map(({ name, before, during, each, after }) => [
        ...[name, before.resident / MB, during.resident / MB, each / 1000, formatRatio(each, bare.each)],
        after.resident / MB,
      ]),
    ),
    `Before: all have just begun and served ${WARM_UP_TURNS} turns; for Loreloom, as many people came in and began their conversations in an earlier life of the runtime. Each conversation has its object with a database of its own, a stream from the model and one to the reader.`,
    `The heap of the Worker and its objects, as the runtime's inspector reports it once the garbage is collected. The platform limits it to ${formatNumber(ISOLATE_BYTES / MB)} MB an isolate; databases and connections are not in it.`,
    formatTable(
      ' | before, MB | with all of them, MB | each, kB | fit into an isolate',
      products.map(({ name, before, during, eachHeap }) => [
        ...[name, before.heap / MB, during.heap / MB, eachHeap / 1000],
        computeCapacity(ISOLATE_BYTES, before.heap, eachHeap),
      ]),
    ),
    `At rest, after ${WARM_UP_TURNS} turns of as many people, Loreloom takes ${formatNumber(rest.product.resident / MB)} MB. A trivial Worker with the same bindings, each of them used ${WARM_UP_TURNS} times, takes ${formatNumber(rest.trivial.resident / MB)} MB.`,
    judgeAim(
      `At most ${MAX_HEAP_KB} kB of heap for a conversation`,
      highest(({ eachHeap }) => eachHeap) / 1000,
      MAX_HEAP_KB,
      'kB',
    ),
    judgeAim(
      `At most ${MAX_RATIO} times the bare Worker's memory for a conversation`,
      highest(({ each }) => each / bare.each),
      MAX_RATIO,
      'times',
      'Most of it is not the heap: the databases of a conversation and of a wallet, with their tables and statements, and what the memory manager keeps.',
    ),
    judgeAim(
      `At most ${MAX_ABOVE_TRIVIAL_MB} MB above a trivial Worker`,
      (rest.product.resident - rest.trivial.resident) / MB,
      MAX_ABOVE_TRIVIAL_MB,
      'MB',
      `${formatNumber(rest.product.heap / MB)} MB of it is the heap, most of which is the text of the scripts; the rest is garbage and what is outside of the heap.`,
    ),
    ...listFailures(rows),
  ].join('\n\n');
}
