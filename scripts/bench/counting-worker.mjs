// Stands before the built product in the bench's own runtime and counts what the platform would charge for: the rows of
// every statement in D1 and in objects, and each call to another service. The product does not know of it.
// `PRODUCT` is put in its place by runtime.mjs.
import * as product from 'PRODUCT';

const fresh = () => ({
  worker_requests: 0,
  d1_calls: 0,
  d1_rows_read: 0,
  d1_rows_written: 0,
  kv_reads: 0,
  kv_writes: 0,
  data_points: 0,
  log_lines: 0,
  alarms: 0,
  object_requests: {},
  object_rows_read: {},
  object_rows_written: {},
  alarms_set: {},
  active_ms: {},
  written_by: {},
  statements: [],
  marks: [],
});
let counts = fresh();
let isNoting = false;

/** When something happened, for whoever asks where the time goes. */
function mark(name) {
  if (isNoting) counts.marks.push([name, Date.now()]);
}

function add(of, name, more = 1) {
  of[name] = (of[name] ?? 0) + more;
}

for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
  const write = console[level];
  console[level] = (...args) => {
    counts.log_lines += 1;
    write.apply(console, args);
  };
}

/** The name within the runtime of what sends statements to D1. */
const SEND = '_send';

/** Every statement that goes to D1 passes by here, however it is asked. */
function countDatabase(database) {
  const session = database.prepare('select 1').dbSession;
  let holder = session;
  while (!Object.hasOwn(holder, SEND)) holder = Object.getPrototypeOf(holder);
  if (holder.isCounted) return;
  const send = holder[SEND];
  holder.isCounted = true;
  holder[SEND] = async function count(endpoint, sql, params, ...rest) {
    mark('D1 is asked');
    const answers = await send.call(this, endpoint, sql, params, ...rest);
    mark('D1 has answered');
    counts.d1_calls += 1;
    const single = !Array.isArray(sql);
    (Array.isArray(answers) ? answers : [answers]).forEach(({ meta }, index) => {
      if (meta === undefined) return;
      counts.d1_rows_read += meta.rows_read;
      counts.d1_rows_written += meta.rows_written;
      const text = single ? sql : sql[index];
      if (meta.rows_written > 0)
        add(counts.written_by, `D1: ${text.replaceAll(/\s+/g, ' ').trim()}`, meta.rows_written);
      if (!isNoting) return;
      counts.statements.push({
        sql: text,
        params: single ? params : params[index],
        read: meta.rows_read,
        written: meta.rows_written,
      });
    });
    return answers;
  };
}

/** Something of which each call counts. @param of what it is called, where its answers are to be marked */
function counted(target, count, of = null) {
  return new Proxy(target, {
    get(_, name) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...args) => {
        count(name);
        if (of === null || !isNoting) return target[name](...args);
        mark(`${of}.${name} is called`);
        const answer = target[name](...args);
        return Promise.resolve(answer).then((result) => {
          mark(`${of}.${name} has answered`);
          return result;
        });
      };
    },
  });
}

function countedObjects(namespace, name) {
  return new Proxy(namespace, {
    get(_, key) {
      if (key === 'get' || key === 'getByName')
        return (...args) => counted(namespace[key](...args), () => add(counts.object_requests, name), name);
      const value = namespace[key];
      return typeof value === 'function' ? value.bind(namespace) : value;
    },
  });
}

const KV_READS = new Set(['get', 'getWithMetadata', 'list']);
const environments = new WeakMap();

/** The same bindings, counted; one copy for each, because the product knows them by what they are. */
function countedEnvironment(env) {
  const known = environments.get(env);
  if (known !== undefined) return known;
  countDatabase(env.DB);
  const copy = {
    ...env,
    KV: counted(env.KV, (name) => (KV_READS.has(name) ? (counts.kv_reads += 1) : (counts.kv_writes += 1))),
    CONVERSATIONS: countedObjects(env.CONVERSATIONS, 'conversation'),
    WALLETS: countedObjects(env.WALLETS, 'wallet'),
    SEARCHES: countedObjects(env.SEARCHES, 'search'),
    ANALYTICS: { writeDataPoint: () => (counts.data_points += 1) },
  };
  environments.set(env, copy);
  return copy;
}

/** One object at work: how long it is at something, and what its statements read. The platform charges for both. */
class Work {
  #open = 0;
  #since = 0;
  /** What a statement read is known when it is at its end, and only the object itself may ask. */
  #cursors = [];

  constructor(name) {
    this.name = name;
  }

  statement(cursor, sql) {
    this.#cursors.push({ cursor, sql });
  }

  until(promise) {
    if (this.#open === 0) this.#since = Date.now();
    this.#open += 1;
    const finish = () => {
      this.#open -= 1;
      this.#count();
      if (this.#open === 0) add(counts.active_ms, this.name, Date.now() - this.#since);
    };
    Promise.resolve(promise).then(finish, finish);
  }

  #count() {
    for (const { cursor, sql } of this.#cursors) {
      const { rowsRead, rowsWritten } = cursor;
      add(counts.object_rows_read, this.name, rowsRead);
      add(counts.object_rows_written, this.name, rowsWritten);
      if (rowsWritten > 0)
        add(counts.written_by, `${this.name}: ${sql.replaceAll(/\s+/g, ' ').trim()}`, rowsWritten);
    }
    this.#cursors = [];
  }
}

function countedClass(Product, name) {
  class Counted extends Product {
    constructor(ctx, env) {
      const work = new Work(name);
      const { sql } = ctx.storage;
      const { exec } = sql;
      sql.exec = (...args) => {
        const cursor = exec.apply(sql, args);
        work.statement(cursor, args[0]);
        return cursor;
      };
      const { storage } = ctx;
      const { setAlarm } = storage;
      storage.setAlarm = (...args) => {
        add(counts.alarms_set, name);
        return setAlarm.apply(storage, args);
      };
      const { waitUntil } = ctx;
      ctx.waitUntil = (promise) => {
        work.until(promise);
        return waitUntil.call(ctx, promise);
      };
      super(ctx, countedEnvironment(env));
      this.work = work;
    }
  }
  for (const method of Object.getOwnPropertyNames(Product.prototype)) {
    const act = Product.prototype[method];
    if (method === 'constructor' || typeof act !== 'function') continue;
    Counted.prototype[method] = function count(...args) {
      if (method === 'alarm') counts.alarms += 1;
      mark(`${name}.${method} begins`);
      const result = act.apply(this, args);
      this.work.until(result);
      return result;
    };
  }
  return Counted;
}

/** What was counted since the last time; the setting of an alarm is charged as a row. */
function take() {
  const taken = counts;
  for (const [name, times] of Object.entries(taken.alarms_set)) {
    add(taken.object_rows_written, name, times);
    add(taken.written_by, `${name}: the alarm is set`, times);
  }
  counts = fresh();
  return taken;
}

/** One statement many times over; whoever asks knows how long that takes. */
async function repeat(env, { sql, params, times }) {
  const statement = env.DB.prepare(sql).bind(...params);
  for (let time = 0; time < times; time += 1) await statement.raw();
  return new Response('done');
}

const ask = globalThis.fetch;
globalThis.fetch = async (...args) => {
  mark('the model is asked');
  const answer = await ask(...args);
  mark('the model has answered');
  return answer;
};

export const ConversationObject = countedClass(product.ConversationObject, 'conversation');
export const WalletObject = countedClass(product.WalletObject, 'wallet');
export const SearchObject = countedClass(product.SearchObject, 'search');
export const { CreatorPages } = product;

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === '/bench/take') return Response.json(take());
    if (pathname === '/bench/note') {
      isNoting = (await request.text()) === 'yes';
      return new Response('noted');
    }
    if (pathname === '/bench/repeat') return repeat(env, await request.json());
    counts.worker_requests += 1;
    mark('the Worker begins');
    return product.default.fetch(request, countedEnvironment(env), ctx);
  },
};
