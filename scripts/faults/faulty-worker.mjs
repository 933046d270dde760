// Runs in the runtime, in front of the built product. It steps the clock, makes D1, KV and calls to objects fail or take long
// (faulty-bindings.mjs), aborts and evicts objects, and runs crons. The product is loaded after it and unchanged.
import { atProductTime, clock, setClock, toRealTime, RealDate } from './faulty-clock.mjs';
import { createFaultyBindings, NO_FAULTS } from './faulty-bindings.mjs';
import unsafe from 'workerd:unsafe';
import product, * as built from './entry.mjs';

export * from './entry.mjs';

/** Set by the harness (`runCommand`). */
let faults = NO_FAULTS;
const wrapBindings = createFaultyBindings(() => faults);

let faultyEnv = null;
function getFaultyEnv(env) {
  if (faultyEnv === null) {
    setClock(Number(env.FAULTS_CLOCK_MS ?? 0), Number(env.FAULTS_ALARM_SPEED ?? 1));
    faultyEnv = wrapBindings(env);
  }
  return faultyEnv;
}

/** Wraps a class of objects: alarms follow the stepped clock and fire sooner, and an object can be aborted. */
const wrapObject = (Built) =>
  class extends Built {
    constructor(ctx, env) {
      const faulty = getFaultyEnv(env);
      const { storage } = ctx;
      const [set, get] = [storage.setAlarm.bind(storage), storage.getAlarm.bind(storage)];
      storage.setAlarm = (at, options) => set(toRealTime(Number(at)), options);
      storage.getAlarm = async (options) => {
        const at = await get(options);
        return at === null ? null : atProductTime(at);
      };
      super(ctx, faulty);
    }

    abortForFaults() {
      this.ctx.abort('fault: aborted');
    }
  };

export const ConversationObject = wrapObject(built.ConversationObject);
export const WalletObject = wrapObject(built.WalletObject);
export const SearchObject = wrapObject(built.SearchObject);

const OBJECTS = { conversation: 'CONVERSATIONS', wallet: 'WALLETS', search: 'SEARCHES' };

/** Runs a command of the harness: faults, the clock, an object, a cron. */
async function runCommand(request, env, ctx) {
  const command = await request.json();
  if (command.faults !== undefined) faults = { ...faults, ...command.faults };
  if (command.clockMs !== undefined) setClock(command.clockMs);
  const target = command.abort ?? command.evict;
  if (target !== undefined) {
    const namespace = env[OBJECTS[target.kind]];
    const stub = namespace.get(namespace.idFromName(target.name));
    if (command.evict === undefined) await stub.abortForFaults().catch(() => {});
    else await unsafe.evict(stub, {});
  }
  if (command.cron !== undefined) {
    await product.scheduled({ cron: command.cron, scheduledTime: clock() }, getFaultyEnv(env), ctx);
  }
  if (command.objectIds !== undefined)
    return Response.json({
      wallet: env.WALLETS.idFromName(command.objectIds).toString(),
      search: env.SEARCHES.idFromName(command.objectIds).toString(),
    });
  return Response.json({ clock: clock(), real: RealDate.now() });
}

export default {
  fetch(request, env, ctx) {
    const faulty = getFaultyEnv(env);
    if (new URL(request.url).pathname === '/__faults') return runCommand(request, env, ctx);
    return product.fetch(request, faulty, ctx);
  },
};
