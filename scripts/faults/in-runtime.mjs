// Runs inside the runtime, in front of the built product: its clock can be stepped, D1, KV and calls to objects can fail or
// take long, objects can be thrown out. The product is loaded after it and knows nothing of it.
import { atProductTime, clock, setClock, toRealTime, RealDate } from './faults-clock.mjs';
import unsafe from 'workerd:unsafe';
import product, * as built from './entry.mjs';

export * from './entry.mjs';

/** What fails now, and for how long answers wait; set by the harness through the one address below. */
let faults = { d1: 0, kv: 0, objects: 0, delayMs: 0, seed: 1 };
let drawn = 0;

/** A number from 0 to 1, the next of a row that the seed fixes. */
function draw() {
  drawn += 1;
  let mixed = (faults.seed + Math.imul(drawn, 0x9e3779b9)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Does something that may fail: before it is done, or after it, so that it was done and nobody is told. Waiting before and
 * after widens the moments between two stores, in which a kill is worth most.
 */
async function through(share, act) {
  const { delayMs } = faults;
  if (delayMs > 0) await pause(draw() * delayMs);
  const fails = draw() < share;
  const late = fails && draw() < 0.5;
  if (fails && !late) throw new Error('fault: not done');
  const answer = await act();
  if (delayMs > 0) await pause(draw() * delayMs);
  if (late) throw new Error('fault: done, and the answer is lost');
  return answer;
}

const ASKED = new Set(['run', 'all', 'raw', 'first']);

function faultyDatabase(database) {
  const own = new WeakMap();
  const statement = (real) => {
    const shown = new Proxy(real, {
      get: (_, name) => {
        if (name === 'bind') return (...values) => statement(real.bind(...values));
        const value = Reflect.get(real, name, real);
        if (typeof value !== 'function') return value;
        return ASKED.has(name)
          ? (...given) => through(faults.d1, () => value.apply(real, given))
          : value.bind(real);
      },
    });
    own.set(shown, real);
    return shown;
  };
  return new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (query) => statement(database.prepare(query));
      if (name === 'batch')
        return (all) => through(faults.d1, () => database.batch(all.map((one) => own.get(one) ?? one)));
      const value = Reflect.get(database, name, database);
      return typeof value === 'function' ? value.bind(database) : value;
    },
  });
}

const faultyStore = (store) =>
  new Proxy(store, {
    get: (_, name) => {
      const value = Reflect.get(store, name, store);
      if (typeof value !== 'function') return value;
      return (...given) => through(faults.kv, () => value.apply(store, given));
    },
  });

/** Calls from one object to another, and from the front door to objects. */
const faultyNamespace = (namespace) =>
  new Proxy(namespace, {
    get: (_, name) => {
      const value = Reflect.get(namespace, name, namespace);
      if (typeof value !== 'function') return value;
      if (name !== 'get' && name !== 'getByName') return value.bind(namespace);
      return (...given) => faultyStub(value.apply(namespace, given));
    },
  });

const faultyStub = (stub) =>
  new Proxy(stub, {
    get: (_, name) => {
      if (name === 'id' || name === 'name') return stub[name];
      if (name === 'then') return undefined;
      return (...given) => through(faults.objects, () => stub[name](...given));
    },
  });

let faultyEnv = null;
function wrapped(env) {
  if (faultyEnv === null) {
    setClock(Number(env.FAULTS_CLOCK_MS ?? 0), Number(env.FAULTS_ALARM_SPEED ?? 1));
    faultyEnv = {
      ...env,
      DB: faultyDatabase(env.DB),
      KV: faultyStore(env.KV),
      WALLETS: faultyNamespace(env.WALLETS),
      SEARCHES: faultyNamespace(env.SEARCHES),
    };
  }
  return faultyEnv;
}

/** An object whose alarms come by the stepped clock, and sooner; and that can be broken off where it is. */
const faultyObject = (Built) =>
  class extends Built {
    constructor(ctx, env) {
      const known = wrapped(env);
      const { storage } = ctx;
      const [set, get] = [storage.setAlarm.bind(storage), storage.getAlarm.bind(storage)];
      storage.setAlarm = (at, options) => set(toRealTime(Number(at)), options);
      storage.getAlarm = async (options) => {
        const at = await get(options);
        return at === null ? null : atProductTime(at);
      };
      super(ctx, known);
    }

    faultsBreakOff() {
      this.ctx.abort('fault: broken off');
    }
  };

export const ConversationObject = faultyObject(built.ConversationObject);
export const WalletObject = faultyObject(built.WalletObject);
export const SearchObject = faultyObject(built.SearchObject);

const OBJECTS = { conversation: 'CONVERSATIONS', wallet: 'WALLETS', search: 'SEARCHES' };

/** What the harness says: what fails from now on, by how much the clock is off, which object is broken off. */
async function obey(request, env, ctx) {
  const order = await request.json();
  if (order.faults !== undefined) faults = { ...faults, ...order.faults };
  if (order.clockMs !== undefined) setClock(order.clockMs);
  if (order.breakOff !== undefined) {
    const namespace = env[OBJECTS[order.breakOff.kind]];
    await namespace
      .get(namespace.idFromName(order.breakOff.name))
      .faultsBreakOff()
      .catch(() => {});
  }
  if (order.evict !== undefined) {
    const namespace = env[OBJECTS[order.evict.kind]];
    await unsafe.evict(namespace.get(namespace.idFromName(order.evict.name)), {});
  }
  if (order.cron !== undefined) {
    await product.scheduled({ cron: order.cron, scheduledTime: clock() }, wrapped(env), ctx);
  }
  if (order.idsOf !== undefined)
    return Response.json({
      wallet: env.WALLETS.idFromName(order.idsOf).toString(),
      search: env.SEARCHES.idFromName(order.idsOf).toString(),
    });
  return Response.json({ clock: clock(), real: RealDate.now() });
}

export default {
  fetch(request, env, ctx) {
    const known = wrapped(env);
    if (new URL(request.url).pathname === '/__faults') return obey(request, env, ctx);
    return product.fetch(request, known, ctx);
  },
  scheduled(event, env, ctx) {
    return product.scheduled(event, wrapped(env), ctx);
  },
};
