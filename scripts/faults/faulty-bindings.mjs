// Wraps the product's bindings: a call may fail before it is done, lose its answer, or take long.
import { createRandom } from './random.mjs';

/** The share of calls that fail, by binding, and the longest delay. */
export const NO_FAULTS = { d1: 0, kv: 0, objects: 0, delayMs: 0, seed: 1 };
/** A stream is cut within this many chunks. */
const CUT_WITHIN = 12;
const QUERIES = new Set(['run', 'all', 'raw', 'first']);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Cuts a stream after some chunks, and cancels its source. */
function cutAfter(stream, chunks) {
  const reader = stream.getReader();
  let left = chunks;
  return new ReadableStream({
    async pull(controller) {
      if (left === 0) {
        controller.error(new Error('fault: the stream was cut'));
        await reader.cancel().catch(() => {});
        return;
      }
      left -= 1;
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/**
 * @param getFaults returns the current faults
 * @returns a function that wraps the environment
 */
export function createFaultyBindings(getFaults) {
  let [seed, random] = [null, null];
  const draw = () => {
    if (getFaults().seed !== seed) {
      ({ seed } = getFaults());
      random = createRandom(seed);
    }
    return random.next();
  };

  /** Delays on both sides make it likelier that a kill falls between the writes to two stores. */
  async function call(kind, run, dropAnswer = () => {}) {
    const { delayMs, [kind]: share } = getFaults();
    if (delayMs > 0) await pause(draw() * delayMs);
    const fails = draw() < share;
    const late = fails && draw() < 0.5;
    if (fails && !late) throw new Error('fault: not done');
    const answer = await run();
    if (delayMs > 0) await pause(draw() * delayMs);
    if (!late) return answer;
    await dropAnswer(answer);
    throw new Error('fault: done, and the answer is lost');
  }

  function database(real) {
    const own = new WeakMap();
    const statement = (prepared) => {
      const shown = new Proxy(prepared, {
        get: (_, name) => {
          if (name === 'bind') return (...values) => statement(prepared.bind(...values));
          const value = Reflect.get(prepared, name, prepared);
          if (typeof value !== 'function') return value;
          return QUERIES.has(name)
            ? (...given) => call('d1', () => value.apply(prepared, given))
            : value.bind(prepared);
        },
      });
      own.set(shown, prepared);
      return shown;
    };
    return new Proxy(real, {
      get: (_, name) => {
        if (name === 'prepare') return (query) => statement(real.prepare(query));
        if (name === 'batch')
          return (all) => call('d1', () => real.batch(all.map((one) => own.get(one) ?? one)));
        const value = Reflect.get(real, name, real);
        return typeof value === 'function' ? value.bind(real) : value;
      },
    });
  }

  const store = (real) =>
    new Proxy(real, {
      get: (_, name) => {
        const value = Reflect.get(real, name, real);
        if (typeof value !== 'function') return value;
        return (...given) => call('kv', () => value.apply(real, given));
      },
    });

  /** Cuts the events of a turn with the probability of a fault. */
  function cutEvents(answer) {
    if (typeof answer?.events?.getReader !== 'function' || draw() >= getFaults().objects) return answer;
    answer.events = cutAfter(answer.events, Math.floor(draw() * CUT_WITHIN));
    return answer;
  }

  /** A caller without the answer does not read its events. */
  const cancelEvents = (answer) => answer?.events?.cancel?.('fault: the answer is lost')?.catch(() => {});

  const stub = (real) =>
    new Proxy(real, {
      get: (_, name) => {
        if (name === 'id' || name === 'name') return real[name];
        if (name === 'then') return undefined;
        return async (...given) => cutEvents(await call('objects', () => real[name](...given), cancelEvents));
      },
    });

  /** Wraps calls to objects, from the front Worker and from other objects. */
  const namespace = (real) =>
    new Proxy(real, {
      get: (_, name) => {
        const value = Reflect.get(real, name, real);
        if (typeof value !== 'function') return value;
        if (name !== 'get' && name !== 'getByName') return value.bind(real);
        return (...given) => stub(value.apply(real, given));
      },
    });

  return (env) => ({
    ...env,
    DB: database(env.DB),
    KV: store(env.KV),
    CONVERSATIONS: namespace(env.CONVERSATIONS),
    WALLETS: namespace(env.WALLETS),
    SEARCHES: namespace(env.SEARCHES),
  });
}
