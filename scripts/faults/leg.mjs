// One leg: fresh stores, people at work, so many kills, time to come to rest, and the checker.
import { setTimeout as delay } from 'node:timers/promises';
import { check } from './check.mjs';
import { Journal, Load } from './load.mjs';
import { chance, hashOf } from './seeded.mjs';
import { openStores, owedIn } from './stores.mjs';

/** What clients see from a start to the kill that follows: so many events and answers, however fast the machine is. */
const LIFE_BEATS = [2, 260];
/** And no longer than so, where everybody waits. */
const LIFE_MS = 5000;
/** The first life is for coming in and beginning to talk. */
const FIRST_BEATS = 150;
const FIRST_MS = 20_000;
/** Between what was seen and the kill: somewhere within a burst, a write, a call. */
const AIM_MS = 40;
/** Alarms that are set for half a minute come after one and a half seconds here; what fails is tried again by the next. */
const REST_MS = 3500;
const RESTS = 5;
const PASSED_MS = 3 * 60_000;
const MINUTE_MS = 60_000;
/** Far above what an answer takes that asks nobody else. */
const STALL_MS = 40;
/** Steps of the clock: back and forth, together more forward, so that points come back and days change. */
const STEP_MINUTES = [-10, 20];

/** What goes wrong beside kills, and how likely it is in the life of one runtime. */
const FAULTS = { d1: 0.35, kv: 0.25, objects: 0.3, slow: 0.5, breakOff: 0.5, evict: 0.4, clock: 0.4 };
/** Of each of the product's crons, in the life of one runtime: as often as kills let them come. */
const CRON_SHARE = 0.3;

/**
 * @returns what was done, what was looked at, and what is wrong
 */
export async function runLeg({ leg, seed, kills, runtime, upstream, characterId }) {
  const began = Date.now();
  const draw = chance(hashOf(`leg ${seed}`));
  const counts = {
    ...{ killed: 0, d1: 0, kv: 0, objects: 0, slow: 0, broken_off: 0, evicted: 0, clock_steps: 0, crons: 0 },
  };
  runtime.reset();
  upstream.begin(seed);
  const journal = new Journal();
  const load = new Load({ seed, runtime, characterId, journal });
  let reopen = load.shut();
  load.begin();
  for (let kill = 0; kill < kills; kill += 1) {
    await runtime.start();
    const isFirst = kill === 0;
    if (!isFirst) await faults(runtime, draw, counts);
    reopen();
    const watching = watch(runtime, journal);
    const beats = isFirst ? FIRST_BEATS : draw.whole(...LIFE_BEATS);
    await live({ runtime, draw, counts, journal, beats, mostMs: isFirst ? FIRST_MS : LIFE_MS });
    reopen = load.shut();
    journal.death('kill');
    await runtime.kill();
    await watching;
    counts.killed += 1;
  }
  const ended = load.end();
  reopen();
  await ended;
  await rest(runtime, journal);
  const stores = openStores(runtime.stores);
  const told = journal.told(upstream);
  try {
    const kept = stores.read();
    const found = check(kept, told);
    const acts = {};
    for (const { kind } of told.turns) acts[kind] = (acts[kind] ?? 0) + 1;
    for (const { act } of told.acts) acts[act] = (acts[act] ?? 0) + 1;
    return {
      leg,
      seed,
      kills: counts.killed,
      turns: kept.conversations.reduce((sum, { turns }) => sum + turns.length, 0),
      checks: found.checks,
      violations: found.violations,
      wrong: Object.values(found.counts).reduce((sum, count) => sum + count, 0),
      longestLossMs: found.longestLossMs,
      longestGoneMs: found.longestGoneMs,
      acts,
      faults: counts,
      seconds: Math.round((Date.now() - began) / 1000),
      journal: told,
    };
  } finally {
    stores.close();
  }
}

/** What fails during this life. */
async function faults(runtime, draw, counts) {
  const wrong = { seed: draw.whole(1, 1e9) };
  for (const name of ['d1', 'kv', 'objects']) {
    const on = draw.is(FAULTS[name]);
    wrong[name] = on ? draw.between(0.02, 0.25) : 0;
    counts[name] += Number(on);
  }
  wrong.delayMs = draw.is(FAULTS.slow) ? draw.between(5, 80) : 0;
  counts.slow += Number(wrong.delayMs > 0);
  await runtime.order({ faults: wrong });
}

/** The life of one runtime: objects go, the clock is stepped, crons come, and then it is over. */
async function live({ runtime, draw, counts, journal, beats, mostMs }) {
  const first = journal.beats;
  const until = Date.now() + mostMs;
  const aim = draw.between(0, AIM_MS);
  const plan = ['breakOff', 'evict', 'clock']
    .filter((what) => draw.is(FAULTS[what]))
    .map((what) => ({
      what,
      at: first + beats * draw.next(),
      kind: draw.one(['conversation', 'conversation', 'wallet', 'search']),
      which: draw.whole(1, 12),
      stepMs: draw.between(...STEP_MINUTES) * MINUTE_MS,
    }))
    .concat(
      runtime.crons
        .filter(() => draw.is(CRON_SHARE))
        .map((cron) => ({ what: 'cron', at: first + beats * draw.next(), cron })),
    )
    .toSorted((a, b) => a.at - b.at);
  while (journal.beats < first + beats && Date.now() < until) {
    const due = plan[0];
    if (due === undefined || journal.beats < due.at) {
      await delay(5);
      continue;
    }
    plan.shift();
    await goWrong({ ...due, runtime, counts, journal });
  }
  await delay(aim);
}

/** Asks the runtime for nothing again and again, until it is dead, and notes when that takes long. */
async function watch(runtime, journal) {
  for (let isAlive = true; isAlive;) {
    const from = Date.now();
    await runtime.order({}).catch(() => (isAlive = false));
    const to = Date.now();
    if (to - from > STALL_MS) journal.stalls.push({ from: from + STALL_MS, to });
    await delay(STALL_MS);
  }
}

async function goWrong({ what, kind, which, stepMs, cron, runtime, counts, journal }) {
  try {
    if (what === 'cron') {
      await runtime.order({ cron });
      counts.crons += 1;
      return;
    }
    if (what === 'clock') {
      await runtime.stepClock(stepMs);
      counts.clock_steps += 1;
      return;
    }
    const names =
      kind === 'conversation' ? [...journal.chats.keys()] : journal.people.map(({ userId }) => userId);
    const name = names.at(-Math.min(which, names.length));
    if (name === undefined) return;
    // Somewhere between these two it goes.
    journal.death(what, name);
    await runtime.order({ [what]: { kind, name } });
    journal.death(what, name);
    counts[what === 'evict' ? 'evicted' : 'broken_off'] += 1;
  } catch {
    // The object that was to go is not there, or the runtime is busy: the life goes on.
  }
}

/** Nothing fails any more, nobody asks for anything: whoever is owed something is told by alarms alone. */
async function rest(runtime, journal) {
  for (let time = 0; time < RESTS; time += 1) {
    // Some minutes pass: what was never listed is given up by then.
    runtime.clockMs += PASSED_MS;
    await runtime.start();
    await runtime.order({ faults: { d1: 0, kv: 0, objects: 0, delayMs: 0 } });
    await delay(REST_MS);
    journal.death('kill');
    await runtime.kill();
    const stores = openStores(runtime.stores);
    try {
      if (owedIn(stores.read()).length === 0) return;
    } finally {
      stores.close();
    }
  }
}
