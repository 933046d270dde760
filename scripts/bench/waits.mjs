// What a turn waits for until its first token: the calls of the product to other services, in order, compared with those of
// the bare Worker.
import { setTimeout as pause } from 'node:timers/promises';
import { call } from './clients.mjs';
import { formatTable, judgeAim, sum } from './figures.mjs';
import { createBareTarget, createProductTarget, SHORT_REPLY } from './targets.mjs';
import { createUsers } from './users.mjs';

const USERS = 10;
const WARM_UP_TURNS = 30;
const TURNS = 150;
const PAUSE_MS = 60;
const MAX_WAITS = 1;

/**
 * The mean time of each event of a turn, in order. A repeated event has a number. Events after the first token and events of
 * less than half of the turns are left out.
 * @param {{ startedAt: number, firstMs: number, marks: [string, number][] }[]} turns
 */
export function summarizeWaits(turns) {
  const events = new Map();
  for (const { startedAt, firstMs, marks } of turns) {
    const counts = new Map();
    for (const [name, at] of marks) {
      if (at - startedAt > firstMs) continue;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const key = count === 1 ? name : `${name} (${count})`;
      events.set(key, [...(events.get(key) ?? []), at - startedAt]);
    }
  }
  const mean = (values) => sum(values) / values.length;
  const waits = [...events]
    .filter(([, times]) => times.length > turns.length / 2)
    .map(([name, times]) => ({ name, at: mean(times) }))
    .toSorted((a, b) => a.at - b.at);
  const firsts = turns.map(({ firstMs }) => firstMs);
  return [...waits, { name: 'the reader has the first token', at: mean(firsts) }];
}

const MODEL_ASKED = 'the model is asked';
/** The object that takes the turn is the way itself, and no wait before the model. */
const IS_WAIT = /^(?!conversation\.|bare\.)(.*) (?:is called|is asked|has answered)$/;

/**
 * How often a turn waits, one after the other, before the model is asked. Calls that start before the first of them has
 * answered are one wait.
 * @param {[string, number][]} marks in their order
 */
export function countWaits(marks) {
  let waits = 0;
  let isAnswered = true;
  for (const [name] of marks) {
    if (name === MODEL_ASKED) return waits;
    if (!IS_WAIT.test(name)) continue;
    const isCall = !name.endsWith('has answered');
    if (isCall && isAnswered) waits += 1;
    isAnswered = !isCall;
  }
  return waits;
}

async function recordTurns({ runTurns, quick }, target) {
  const turns = [];
  const [warmUp, count] = quick ? [5, 20] : [WARM_UP_TURNS, TURNS];
  await runTurns({ target, count: warmUp, pauseMs: PAUSE_MS, scenario: SHORT_REPLY });
  await call(`${target.origin}/bench/record`, 'yes');
  for (let index = 0; index < count; index += 1) {
    await call(`${target.origin}/bench/take`);
    const seen = await runTurns({ target, count: 1, from: index, scenario: SHORT_REPLY });
    await pause(PAUSE_MS);
    const { marks } = JSON.parse(await call(`${target.origin}/bench/take`));
    turns.push({ startedAt: seen.startedAt[0], firstMs: seen.firsts[0], marks });
  }
  return turns;
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureWaits(bench) {
  const bare = await bench.startBare({ isCounted: true });
  const product = await bench.startProduct({ isCounted: true });
  const users = await createUsers(product, USERS);
  const targets = [{ ...createBareTarget(bare), objects: USERS }, createProductTarget(product, users)];
  const rows = [];
  const waits = [];
  for (const target of targets) {
    let last = 0;
    const turns = await recordTurns(bench, target);
    waits.push([target.name, Math.max(...turns.map(({ marks }) => countWaits(marks)))]);
    for (const { name, at } of summarizeWaits(turns)) {
      rows.push([target.name, name, at, at - last]);
      last = at;
    }
  }
  return [
    `Means of ${bench.quick ? 20 : TURNS} turns one after another in chats under way, in ms since the message was sent. Both Workers are watched here, which makes them a little slower; the clock inside tells whole milliseconds.`,
    formatTable('way |  | at | since the line before', rows),
    formatTable('way | waits before the model is asked, at most', waits),
    judgeAim('Waits before the model is asked', waits.at(-1)[1], MAX_WAITS, 'at most'),
  ].join('\n\n');
}
