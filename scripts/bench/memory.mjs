// The runtime's memory with a thousand conversations, each with an unfinished reply and its reader, compared with a
// thousand objects of the bare Worker that pass on the same stream.
import { setTimeout as pause } from 'node:timers/promises';
import { formatNumber, formatRatio, formatTable, listFailures } from './figures.mjs';
import { readResidentBytes } from './machine.mjs';
import { createBareTarget, createProductTarget, SHORT_REPLY } from './targets.mjs';
import { createUsers } from './users.mjs';

const CONVERSATIONS = 1000;
/** Longer than an object without requests stays in memory. */
const SETTLE_MS = 12_000;
const SAMPLES = 5;
const GATE = 'memory';
const MB = 1e6;

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

async function measureTarget({ ask, runTurns, model, quick, say }, target, count) {
  say(`  ${count} conversations: ${target.name} …`);
  const waitMs = quick ? 3000 : SETTLE_MS;
  await runTurns({ target, count: 20, scenario: SHORT_REPLY });
  await model.control(`shut?key=${GATE}`);
  const before = await sampleMemory(target.pid, waitMs);
  // One after another: this measures what the machine holds, not how it begins them.
  const spreadMs = count * 5;
  const scenario = `gate n=20 key=${GATE}`;
  const ended = ask('turns', { target, count, concurrency: count, spreadMs, scenario });
  await pause(spreadMs);
  await model.control(`reached?key=${GATE}&times=${count}`);
  const during = await sampleMemory(target.pid, waitMs);
  await model.control(`open?key=${GATE}`);
  const { failure } = await ended;
  const after = await sampleMemory(target.pid, waitMs);
  await model.control('reset');
  return { name: target.name, before, during, after, failure, each: (during - before) / count };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureMemory(bench) {
  const count = bench.quick ? 100 : CONVERSATIONS;
  const bareServer = await bench.startBare();
  const bare = await measureTarget(bench, createBareTarget(bareServer), count);
  await bareServer.end();
  // The preparation runs in a process of its own, whose memory is not measured.
  const folder = bench.createFolder();
  const preparation = await bench.startProduct({ folder });
  const users = await createUsers(preparation, count);
  await preparation.end();
  const server = await bench.startProduct({ folder });
  const product = await measureTarget(bench, createProductTarget(server, users), count);
  const rows = [bare, product];
  return [
    `Resident memory of workerd, ${formatNumber(count)} conversations of as many people, each with a reply of which 20 tokens are written and the rest is awaited, and with its reader.`,
    formatTable(
      ' | before, MB | with all of them, MB | each, kB | to the bare Worker | when all have ended and gone, MB',
      rows.map(({ name, before, during, each, after }) => [
        ...[name, before / MB, during / MB, each / 1000, formatRatio(each, bare.each), after / MB],
      ]),
    ),
    'Before: both have just begun and served twenty turns; for Loreloom, as many people came in and began their conversations in an earlier life of the runtime. Each conversation has its object with a database of its own, a stream from the model and one to the reader.',
    ...listFailures(rows),
  ].join('\n\n');
}
