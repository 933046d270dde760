// One round: fresh stores, users at work, a number of kills, time for alarms to finish, and the checker.
import { setTimeout as delay } from 'node:timers/promises';
import { check } from './check.mjs';
import { createRandom, hashText } from './random.mjs';
import { listPending, openStores } from './stores.mjs';
import { Journal, Workload } from './workload.mjs';

/** A kill comes after clients have received so many events and answers, or after the time. */
const LIFE = { minReceived: 2, maxReceived: 260, maxMs: 5000 };
/** In the first life users log in and begin conversations. */
const FIRST_LIFE = { minReceived: 150, maxReceived: 150, maxMs: 20_000 };
/** The kill is delayed by up to this, so that it falls into bursts, writes and calls. */
const KILL_DELAY_MS = 40;
/** Alarms set for half a minute fire after 1.5 s here; the next run retries what fails. */
const SETTLE_MS = 3500;
const SETTLE_RUNS = 5;
const SETTLE_CLOCK_MS = 3 * 60_000;
const MINUTE_MS = 60_000;
/** Far longer than an answer takes that needs no other service. */
const STALL_MS = 40;
/** The clock steps back and forth, but more forward in total, so that points refill and days change. */
const STEP_MINUTES = [-10, 20];

/** The probability of each fault in the life of a runtime. */
const FAULTS = { d1: 0.35, kv: 0.25, objects: 0.3, slow: 0.5, abort: 0.5, evict: 0.4, clock: 0.4 };
/** The probability of each cron. */
const CRON_SHARE = 0.3;

/** @returns what was done, what was checked, and the violations */
export async function runRound({ seed, kills, runtime, provider, characterId }) {
  const started = Date.now();
  const random = createRandom(hashText(`round ${seed}`));
  const faults = { d1: 0, kv: 0, objects: 0, slow: 0, aborts: 0, evictions: 0, clock_steps: 0, crons: 0 };
  runtime.reset();
  provider.reset(seed);
  const journal = new Journal();
  const workload = new Workload({ seed, runtime, characterId, journal });
  const context = { runtime, random, faults, journal };
  let resume = workload.pause();
  workload.start();
  for (let kill = 0; kill < kills; kill += 1) {
    await runtime.start();
    if (kill > 0) await setFaults(context);
    resume();
    const watching = recordStalls(context);
    await live(context, kill === 0 ? FIRST_LIFE : LIFE);
    resume = workload.pause();
    journal.recordCrash('kill');
    await runtime.kill();
    await watching;
  }
  const ended = workload.end();
  resume();
  await ended;
  await settle(context);
  const stores = openStores(runtime.stores);
  try {
    const exported = journal.export(provider);
    const contents = stores.read();
    const { checks, violations, counts, maxLossMs, maxGapMs } = check(contents, exported);
    const actions = {};
    for (const { kind } of [...exported.turns, ...exported.actions]) actions[kind] = (actions[kind] ?? 0) + 1;
    return {
      ...{ kills, checks, maxLossMs, maxGapMs, violations, journal: exported },
      done: { ...actions, ...faults },
      turns: contents.conversations.reduce((sum, { turns }) => sum + turns.length, 0),
      violationCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
      seconds: Math.round((Date.now() - started) / 1000),
    };
  } finally {
    stores.close();
  }
}

/** Draws which calls fail in this life. */
async function setFaults({ runtime, random, faults }) {
  const drawn = { seed: random.integer(1, 1e9) };
  for (const name of ['d1', 'kv', 'objects']) {
    drawn[name] = random.chance(FAULTS[name]) ? random.between(0.02, 0.25) : 0;
    faults[name] += Number(drawn[name] > 0);
  }
  drawn.delayMs = random.chance(FAULTS.slow) ? random.between(5, 80) : 0;
  faults.slow += Number(drawn.delayMs > 0);
  await runtime.send({ faults: drawn });
}

/** Lets a runtime live: objects are aborted or evicted, the clock steps, crons run. */
async function live(context, { minReceived, maxReceived, maxMs }) {
  const { runtime, random, journal } = context;
  const first = journal.received;
  const count = random.integer(minReceived, maxReceived);
  const until = Date.now() + maxMs;
  const killDelayMs = random.between(0, KILL_DELAY_MS);
  const events = ['abort', 'evict', 'clock'].filter((kind) => random.chance(FAULTS[kind]));
  const crons = runtime.crons.filter(() => random.chance(CRON_SHARE));
  const plan = [...events.map((kind) => ({ kind })), ...crons.map((cron) => ({ kind: 'cron', cron }))]
    .map((event) => ({
      ...event,
      at: first + count * random.next(),
      object: random.pick(['conversation', 'conversation', 'wallet', 'search']),
      index: random.integer(1, 12),
      stepMs: random.between(...STEP_MINUTES) * MINUTE_MS,
    }))
    .toSorted((a, b) => a.at - b.at);
  while (journal.received < first + count && Date.now() < until) {
    if (plan.length === 0 || journal.received < plan[0].at) await delay(5);
    else await inject(context, plan.shift());
  }
  await delay(killDelayMs);
}

/** Pings the runtime until it is dead, and records slow answers. */
async function recordStalls({ runtime, journal }) {
  for (let isAlive = true; isAlive;) {
    const from = Date.now();
    await runtime.send({}).catch(() => (isAlive = false));
    const to = Date.now();
    if (to - from > STALL_MS) journal.stalls.push({ from: from + STALL_MS, to });
    await delay(STALL_MS);
  }
}

async function inject({ runtime, faults, journal }, { kind, object, index, stepMs, cron }) {
  try {
    if (kind === 'cron') {
      await runtime.send({ cron });
      faults.crons += 1;
    } else if (kind === 'clock') {
      await runtime.stepClock(stepMs);
      faults.clock_steps += 1;
    } else {
      const names =
        object === 'conversation' ? [...journal.chats.keys()] : journal.users.map(({ userId }) => userId);
      const name = names.at(-Math.min(index, names.length));
      if (name === undefined) return;
      // The object goes at some time between these two.
      journal.recordCrash(kind, name);
      await runtime.send({ [kind]: { kind: object, name } });
      journal.recordCrash(kind, name);
      faults[kind === 'evict' ? 'evictions' : 'aborts'] += 1;
    }
  } catch {
    // The object does not exist, or the runtime is busy.
  }
}

/** Without faults and requests, alarms alone have to finish all pending work. */
async function settle({ runtime, journal }) {
  for (let time = 0; time < SETTLE_RUNS; time += 1) {
    // Conversations that were never listed erase themselves after some minutes.
    runtime.clockMs += SETTLE_CLOCK_MS;
    await runtime.start();
    await runtime.send({ faults: { d1: 0, kv: 0, objects: 0, delayMs: 0 } });
    await delay(SETTLE_MS);
    journal.recordCrash('kill');
    await runtime.kill();
    const stores = openStores(runtime.stores);
    try {
      if (listPending(stores.read()).length === 0) return;
    } finally {
      stores.close();
    }
  }
}
