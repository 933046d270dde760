// What stands before the product's stores and objects: each call may fail before it is done, or be done with its answer lost,
// or take long. Here are no imports: the runtime loads it beside the product, and a test without one.

/** What fails of all calls, and for how long answers wait. */
export const NO_FAULTS = { d1: 0, kv: 0, objects: 0, delayMs: 0, seed: 1 };
/** Pieces of a stream after which it may be cut. */
const CUT_WITHIN = 12;
const ASKED = new Set(['run', 'all', 'raw', 'first']);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Numbers from 0 to 1, in a row that the seed fixes. */
function rowOf(seedOf) {
  let drawn = 0;
  return () => {
    drawn += 1;
    let mixed = (seedOf() + Math.imul(drawn, 0x9e3779b9)) | 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}

/** A stream that breaks off after so many pieces; whoever wrote it hears that nobody reads it any more. */
function cutAfter(stream, pieces) {
  const reader = stream.getReader();
  let left = pieces;
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
 * Wraps what the product is given.
 * @param faultsOf what fails now
 * @returns `wrap`, which gives the environment as the product is to have it
 */
export function makeWraps(faultsOf) {
  const draw = rowOf(() => faultsOf().seed);

  /** Waiting before and after widens the moments between two stores, in which a kill is worth most. */
  async function through(kind, act, forget = () => {}) {
    const { delayMs, [kind]: share } = faultsOf();
    if (delayMs > 0) await pause(draw() * delayMs);
    const fails = draw() < share;
    const late = fails && draw() < 0.5;
    if (fails && !late) throw new Error('fault: not done');
    const answer = await act();
    if (delayMs > 0) await pause(draw() * delayMs);
    if (!late) return answer;
    await forget(answer);
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
          return ASKED.has(name)
            ? (...given) => through('d1', () => value.apply(prepared, given))
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
          return (all) => through('d1', () => real.batch(all.map((one) => own.get(one) ?? one)));
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
        return (...given) => through('kv', () => value.apply(real, given));
      },
    });

  /** The events of a turn may break off on their way. */
  function eventsOf(answer) {
    if (typeof answer?.events?.getReader !== 'function' || draw() >= faultsOf().objects) return answer;
    answer.events = cutAfter(answer.events, Math.floor(draw() * CUT_WITHIN));
    return answer;
  }

  /** Whose answer is lost reads no events either. */
  const unread = (answer) => answer?.events?.cancel?.('fault: the answer is lost')?.catch(() => {});

  const stub = (real) =>
    new Proxy(real, {
      get: (_, name) => {
        if (name === 'id' || name === 'name') return real[name];
        if (name === 'then') return undefined;
        return async (...given) => eventsOf(await through('objects', () => real[name](...given), unread));
      },
    });

  /** Calls from one object to another, and from the front door to objects. */
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
