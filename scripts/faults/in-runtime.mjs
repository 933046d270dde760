// Runs inside the runtime, in front of the built product: its clock can be stepped, D1, KV and calls to objects can fail or
// take long (in-runtime-wraps.mjs), objects can be thrown out, crons can be begun. The product is loaded after it and knows
// nothing of it.
import { atProductTime, clock, setClock, toRealTime, RealDate } from './faults-clock.mjs';
import { makeWraps, NO_FAULTS } from './faults-wraps.mjs';
import unsafe from 'workerd:unsafe';
import product, * as built from './entry.mjs';

export * from './entry.mjs';

/** Set by the harness through the one address below. */
let faults = NO_FAULTS;
const wraps = makeWraps(() => faults);

let faultyEnv = null;
function wrapped(env) {
  if (faultyEnv === null) {
    setClock(Number(env.FAULTS_CLOCK_MS ?? 0), Number(env.FAULTS_ALARM_SPEED ?? 1));
    faultyEnv = wraps(env);
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
};
