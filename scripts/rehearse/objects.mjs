// The rehearsal of objects: a long conversation, a full wallet and its index of words at each of their steps, brought up to
// date by the product's own code in the runtime that the platform runs; and the runtime killed in the middle of it.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripTypeScriptTypes } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '../lib/process.mjs';
import { CONVERSATION, SEARCH, WALLET } from './made-objects.mjs';
import { columnsOf, fillingsOf } from './made-rows.mjs';
import { openObjects, processorSeconds, runtimePid } from './runtime.mjs';

/**
 * What opening may need of a processor, which is what objects are limited by: of the 30 s that a request has, and so that
 * whoever opens a conversation for the first time after a deployment does not wonder.
 */
const OPENING_MS = 1000;
/** A piece of a move stands in others' way so long at most. */
const PIECE_MS = 100;

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Every class of objects that the product has, as scripts/lib/stores.mjs names them; a test compares the two. */
export async function kinds() {
  const { CONVERSATION_MIGRATIONS } =
    await import('../../src/features/conversation/conversation-migrations.ts');
  const { SEARCH_MIGRATIONS } = await import('../../src/features/search/search-store.ts');
  const { WALLET_MIGRATIONS } = await import('../../src/features/wallet/ledger-store.ts');
  return [
    {
      kind: 'conversation',
      steps: CONVERSATION_MIGRATIONS,
      tables: CONVERSATION,
      counted: ['messages', 'versions', 'turns'],
    },
    { kind: 'wallet', steps: WALLET_MIGRATIONS, tables: WALLET, counted: ['ledger', 'reservations'] },
    {
      kind: 'search',
      steps: SEARCH_MIGRATIONS,
      tables: SEARCH,
      // SQLite lists an index of words apart from tables, and by other columns than are written.
      words: ['words', ['rowid', 'line']],
      counted: ['entries', 'words'],
    },
  ];
}

const modules = () => [
  { name: 'object-worker.mjs', contents: read('scripts/rehearse/object-worker.mjs') },
  { name: 'object-migrations.mjs', contents: stripTypeScriptTypes(read('src/db/object-migrations.ts')) },
];

/** What fills an object that is at a step. */
function fillingsAt({ steps, tables, words }, count, messages) {
  const db = new DatabaseSync(':memory:');
  for (const step of steps.slice(0, count)) db.exec(typeof step === 'string' ? step : (step.sql ?? ''));
  const columns = columnsOf((sql, ...values) => db.prepare(sql).all(...values));
  if (words !== undefined) columns.set(...words);
  return [...fillingsOf(tables, columns, { messages, conversationId: 'v', ownerId: 'u', characterId: 'c' })];
}

/** Calls of objects, each with its time as whoever calls feels it, and with what the runtime had of a processor. */
function callsOf(miniflare) {
  const pid = runtimePid();
  return async (path, object, body) => {
    const used = processorSeconds(pid);
    const begun = performance.now();
    const answer = await miniflare.dispatchFetch(
      `http://rehearsal${path}${path.includes('?') ? '&' : '?'}object=${object}`,
      {
        method: 'POST',
        body: JSON.stringify(body),
      },
    );
    if (!answer.ok) throw new Error(await answer.text());
    const told = await answer.json();
    const ms = performance.now() - begun;
    return { ...told, ms, processorMs: used === null ? ms : ((processorSeconds(pid) ?? 0) - used) * 1000 };
  };
}

async function rehearseKind(call, one, { messages, say }) {
  const { kind, steps, counted } = one;
  const rows = [];
  // One that has a single step yet is opened at that: its rows have to be found as well.
  for (let count = 1; count < Math.max(2, steps.length); count += 1) {
    const object = `${kind}-${count}`;
    say(`Opening a ${kind} of step ${count} …`);
    await call('/make', object, { steps, count, fillings: fillingsAt(one, count, messages) });
    const before = await call('/?state', object, { steps, counted });
    const opened = await call('/migrate', object, { steps });
    const pieces = [];
    for (let waiting = true; waiting;) {
      const piece = await call('/move', object, { steps });
      ({ waiting } = piece);
      pieces.push(piece);
    }
    const state = await call('/?state', object, { steps, counted });
    rows.push({
      kind,
      from: count,
      to: state.step,
      bytes: before.bytes,
      openingMs: opened.ms,
      processorMs: opened.processorMs,
      // The last one finds that nothing waits, or does what waited last.
      pieces: pieces.length,
      pieceMs: Math.max(...pieces.map(({ ms }) => ms)),
      pieceProcessorMs: Math.max(...pieces.map(({ processorMs }) => processorMs)),
      // Of what has no rows nothing is shown.
      kept:
        before.rows.every((count) => count > 0) &&
        JSON.stringify(state.rows) === JSON.stringify(before.rows) &&
        state.step === steps.length,
    });
  }
  return rows;
}

/** Kills the runtime in the middle of an opening, again and again: what is there afterwards is the old, or the new. */
async function rehearseKills(folder, one, { messages, kills, withinMs, say }) {
  const { steps, counted } = one;
  const found = { old: 0, new: 0, torn: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    const object = `killed-${kill}`;
    const begun = await openObjects(folder, modules());
    let call = callsOf(begun.miniflare);
    await call('/make', object, { steps, count: 1, fillings: fillingsAt(one, 1, messages) });
    const before = await call('/?state', object, { steps, counted });
    const pid = runtimePid();
    if (pid === null) {
      await begun.end();
      say('The runtime is no child of this process here: it is not killed.');
      return null;
    }
    const opening = call('/migrate', object, { steps }).catch(() => null);
    await wait((withinMs * (kill + 0.5)) / kills);
    process.kill(pid, 'SIGKILL');
    await Promise.race([opening, wait(2000)]);
    await begun.end().catch(() => undefined);
    const again = await openObjects(folder, modules());
    call = callsOf(again.miniflare);
    const state = await call('/?state', object, { steps, counted });
    const isKept = JSON.stringify(state.rows) === JSON.stringify(before.rows);
    const isOld = state.step === 1 && state.tables === before.tables;
    if (isKept && isOld) found.old += 1;
    else if (isKept && state.step === steps.length) found.new += 1;
    else found.torn += 1;
    await call('/migrate', object, { steps });
    const done = await call('/?state', object, { steps, counted });
    if (done.step !== steps.length || JSON.stringify(done.rows) !== JSON.stringify(before.rows))
      found.torn += 1;
    await again.end();
  }
  return found;
}

/**
 * @param {string} folder
 * @param {{ messages: number, kills: number, say: (text: string) => void }} options
 */
export async function rehearseObjects(folder, { messages, kills, say }) {
  const place = join(folder, 'objects');
  mkdirSync(place);
  const all = await kinds();
  const { miniflare, end } = await openObjects(place, modules());
  const rows = [];
  let floorMs = 0;
  try {
    const call = callsOf(miniflare);
    const floor = [];
    for (let time = 0; time < 20; time += 1) floor.push((await call('/', 'nobody', { steps: [] })).ms);
    floorMs = floor.toSorted((a, b) => a - b)[10];
    for (const one of all) rows.push(...(await rehearseKind(call, one, { messages, say })));
  } finally {
    await end();
  }
  say(`Killing the runtime ${kills} times while a conversation is brought up to date …`);
  const withinMs = rows[0].openingMs;
  const killed = kills === 0 ? null : await rehearseKills(place, all[0], { messages, kills, withinMs, say });
  const wrong = rows.flatMap(({ kind, from, processorMs, pieceProcessorMs, kept }) => {
    const name = `a ${kind} of step ${from}`;
    return [
      ...(kept ? [] : [`${name} does not have what it had`]),
      ...(processorMs > OPENING_MS
        ? [`${name} needs ${processorMs.toFixed(0)} ms of a processor to open, of ${OPENING_MS}`]
        : []),
      ...(pieceProcessorMs > PIECE_MS
        ? [`a piece of ${name} needs ${pieceProcessorMs.toFixed(0)} ms of a processor, of ${PIECE_MS}`]
        : []),
    ];
  });
  if (killed !== null && killed.torn > 0)
    wrong.push(`${killed.torn} objects are torn after the runtime was killed`);
  return { rows, floorMs, killed, messages, wrong };
}
