// Wraps a built Worker, without a change to it, and counts what the platform would charge for: the rows of each statement in
// D1 and in objects, and each call to another service. servers.mjs replaces `WORKER` by the Worker's own module.
import { DurableObject } from 'cloudflare:workers';
import * as worker from 'WORKER';

/** The bindings of objects, and their names in the tables. */
const OBJECTS = { CONVERSATIONS: 'conversation', WALLETS: 'wallet', SEARCHES: 'search', BARE: 'bare' };
const KV_READS = new Set(['get', 'getWithMetadata', 'list']);

const createCounts = () => ({
  worker_requests: 0,
  d1_calls: 0,
  d1_rows_read: 0,
  d1_rows_written: 0,
  d1_reads: 0,
  d1_writes: 0,
  kv_reads: 0,
  kv_writes: 0,
  data_points: 0,
  log_lines: 0,
  alarms: 0,
  object_requests: {},
  object_rows_read: {},
  object_rows_written: {},
  active_ms: {},
  written_by: {},
  statements: [],
  marks: [],
});
let counts = createCounts();
/** Whether statements and the times of events are recorded, which takes time itself. */
let isRecording = false;

function mark(event) {
  if (isRecording) counts.marks.push([event, Date.now()]);
}

function add(group, name, more = 1) {
  group[name] = (group[name] ?? 0) + more;
}

function addWritten(owner, sql, rows) {
  if (rows > 0) add(counts.written_by, `${owner}: ${sql.replaceAll(/\s+/g, ' ').trim()}`, rows);
}

/** Calls a service, and marks when the call and its answer pass. */
async function markAround(called, answered, act) {
  mark(called);
  const answer = await act();
  mark(answered);
  return answer;
}

/** The runtime's internal method that all statements to D1 pass through. */
const SEND = '_send';

function countDatabase(database) {
  let holder = database.prepare('select 1').dbSession;
  while (!Object.hasOwn(holder, SEND)) holder = Object.getPrototypeOf(holder);
  if (holder.isCounted) return;
  const send = holder[SEND];
  holder.isCounted = true;
  holder[SEND] = async function count(...args) {
    const begun = Date.now();
    const answers = await markAround('D1 is asked', 'D1 has answered', () => send.apply(this, args));
    const [, sql, params] = args;
    counts.d1_calls += 1;
    [answers].flat().forEach(({ meta }, index) => {
      if (meta === undefined) return;
      const [text, values] = Array.isArray(sql) ? [sql[index], params[index]] : [sql, params];
      const [read, written] = [meta.rows_read, meta.rows_written];
      counts[written > 0 ? 'd1_writes' : 'd1_reads'] += 1;
      counts.d1_rows_read += read;
      counts.d1_rows_written += written;
      addWritten('D1', text, written);
      if (isRecording)
        counts.statements.push({ sql: text, params: values, read, written, ms: Date.now() - begun });
    });
    return answers;
  };
}

/** The same binding, with each call of a method passed through `run`. */
const intercept = (binding, run) =>
  new Proxy(binding, {
    get: (_, name) =>
      typeof binding[name] === 'function'
        ? (...args) => run(name, () => binding[name](...args))
        : binding[name],
  });

function countStub(stub, owner) {
  return intercept(stub, (method, act) => {
    add(counts.object_requests, owner);
    if (!isRecording) return act();
    return markAround(`${owner}.${method} is called`, `${owner}.${method} has answered`, act);
  });
}

const environments = new WeakMap();

/** The same bindings, counted. Each environment has one copy, because the product compares them by identity. */
function countEnvironment(env) {
  const known = environments.get(env);
  if (known !== undefined) return known;
  const copy = { ...env, ANALYTICS: { writeDataPoint: () => (counts.data_points += 1) } };
  if (env.DB !== undefined) countDatabase(env.DB);
  if (env.KV !== undefined)
    copy.KV = intercept(env.KV, (name, act) => {
      counts[KV_READS.has(name) ? 'kv_reads' : 'kv_writes'] += 1;
      return act();
    });
  for (const [binding, owner] of Object.entries(OBJECTS))
    if (env[binding] !== undefined)
      copy[binding] = intercept(env[binding], (name, act) =>
        name === 'get' || name === 'getByName' ? countStub(act(), owner) : act(),
      );
  environments.set(env, copy);
  return copy;
}

/** The charged work of one object: the time during which it is busy, and the rows of its statements. */
class Work {
  #open = 0;
  #since = 0;
  /** A cursor knows its rows when it has been read, and only the object itself may ask it. */
  statements = [];

  constructor(name) {
    this.name = name;
  }

  /** Counts the object as busy until the promise settles. */
  track(promise) {
    if (this.#open === 0) this.#since = Date.now();
    this.#open += 1;
    const finish = () => {
      this.#open -= 1;
      for (const { cursor, sql } of this.statements.splice(0)) {
        add(counts.object_rows_read, this.name, cursor.rowsRead);
        add(counts.object_rows_written, this.name, cursor.rowsWritten);
        addWritten(this.name, sql, cursor.rowsWritten);
      }
      if (this.#open === 0) add(counts.active_ms, this.name, Date.now() - this.#since);
    };
    Promise.resolve(promise).then(finish, finish);
  }
}

/** Replaces a method by one that has the original as its first argument. */
function wrap(target, name, replacement) {
  const original = target[name];
  target[name] = (...args) => replacement((...own) => original.apply(target, own), ...args);
}

/** An object that streams its answer stays busy until the stream ends. */
function trackStream(work, answer) {
  if (!(answer instanceof Response) || answer.body === null) return answer;
  const { readable, writable } = new TransformStream();
  work.track(answer.body.pipeTo(writable));
  return new Response(readable, answer);
}

function countClass(name, Original = DurableObject) {
  class Counted extends Original {
    constructor(ctx, env) {
      const work = new Work(name);
      wrap(ctx.storage.sql, 'exec', (exec, sql, ...params) => {
        const cursor = exec(sql, ...params);
        work.statements.push({ cursor, sql });
        return cursor;
      });
      wrap(ctx.storage, 'setAlarm', (setAlarm, ...args) => {
        // Setting an alarm is charged as a written row.
        add(counts.object_rows_written, name);
        addWritten(name, 'the alarm is set', 1);
        return setAlarm(...args);
      });
      wrap(ctx, 'waitUntil', (waitUntil, promise) => {
        work.track(promise);
        return waitUntil(promise);
      });
      super(ctx, countEnvironment(env));
      this.work = work;
    }
  }
  for (const method of Object.getOwnPropertyNames(Original.prototype)) {
    const original = Original.prototype[method];
    if (method === 'constructor' || typeof original !== 'function') continue;
    Counted.prototype[method] = function count(...args) {
      if (method === 'alarm') counts.alarms += 1;
      mark(`${name}.${method} begins`);
      const result = original.apply(this, args);
      this.work.track(result);
      return method === 'fetch' ? result.then((answer) => trackStream(this.work, answer)) : result;
    };
  }
  return Counted;
}

/** Sends a statement many times; the caller measures how long that takes. */
async function repeatStatement(env, { sql, params, times }) {
  const statement = env.DB.prepare(sql).bind(...params);
  for (let time = 0; time < times; time += 1) await statement.raw();
}

/** Runs a cron to its end. */
async function runCron(env, { exports, cache }, cron) {
  const pending = [];
  const invocation = { exports, cache, waitUntil: (promise) => pending.push(promise) };
  await worker.default.scheduled({ cron, scheduledTime: Date.now() }, countEnvironment(env), invocation);
  await Promise.all(pending);
}

for (const level of ['log', 'info', 'warn', 'error', 'debug'])
  wrap(console, level, (write, ...args) => {
    counts.log_lines += 1;
    write(...args);
  });

wrap(globalThis, 'fetch', (fetch, ...args) =>
  markAround('the model is asked', 'the model has answered', () => fetch(...args)),
);

export const ConversationObject = countClass('conversation', worker.ConversationObject);
export const WalletObject = countClass('wallet', worker.WalletObject);
export const SearchObject = countClass('search', worker.SearchObject);
export const BareObject = countClass('bare', worker.BareObject);
export const { CreatorPages = DurableObject } = worker;

const COMMANDS = {
  '/bench/take': () => {
    const taken = counts;
    counts = createCounts();
    return taken;
  },
  '/bench/record': async (request) => {
    isRecording = (await request.text()) === 'yes';
  },
  '/bench/repeat': async (request, env) => repeatStatement(env, await request.json()),
  '/bench/cron': async (request, env, ctx) => runCron(env, ctx, await request.text()),
};

export default {
  async fetch(request, env, ctx) {
    const command = COMMANDS[new URL(request.url).pathname];
    if (command !== undefined) return Response.json((await command(request, env, ctx)) ?? null);
    counts.worker_requests += 1;
    mark('the Worker begins');
    return worker.default.fetch(request, countEnvironment(env), ctx);
  },
};
