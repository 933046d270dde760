import { describe, expect, test } from 'vitest';
import { createFaultyBindings, NO_FAULTS } from '../../../../scripts/faults/faulty-bindings.mjs';
import { getStoreOptions } from '../../../../scripts/lib/stores.mjs';

type Faults = typeof NO_FAULTS;
type Answer = { ok: boolean; events: ReadableStream<string> };
type Stub = { send(text: string): Promise<Answer> };
type Wrapped = Record<string, { idFromName(name: string): string; get(id: string): Stub }>;

const OBJECTS = Object.keys(getStoreOptions('any').durableObjects);
/** Enough calls for both kinds of failure. */
const CALLS = 60;
const PIECES = 40;

/** Creates wrapped bindings that record each executed call and each cancelled stream. */
function createEnv(faults: Partial<Faults>) {
  const done: string[] = [];
  const cancelled: string[] = [];
  const send = (name: string) => async (text: string) => {
    done.push(`${name} ${text}`);
    let sent = 0;
    const events = new ReadableStream<string>({
      pull(controller) {
        sent += 1;
        if (sent > PIECES) controller.close();
        else controller.enqueue(`piece ${sent}`);
      },
      cancel: () => void cancelled.push(text),
    });
    return { ok: true, events };
  };
  const objects = OBJECTS.map((name) => [
    name,
    { idFromName: (id: string) => id, get: () => ({ send: send(name) }) },
  ]);
  const wrap = createFaultyBindings(() => ({ ...NO_FAULTS, seed: 7, ...faults }));
  const env = wrap({ ...Object.fromEntries(objects), DB: {}, KV: { get: async () => 'kept' } }) as Wrapped;
  const stub = (name: string): Stub => {
    const namespace = env[name];
    if (namespace === undefined) throw new Error(name);
    return namespace.get(namespace.idFromName('one'));
  };
  return { done, cancelled, stub };
}

async function read(events: ReadableStream<string>): Promise<number> {
  let pieces = 0;
  for await (const _ of events) pieces += 1;
  return pieces;
}

describe('Faulty bindings', () => {
  test.each(OBJECTS)('some calls to %s fail before and some after they are executed', async (name) => {
    const { done, cancelled, stub } = createEnv({ objects: 1 });
    const messages: string[] = [];
    for (let call = 0; call < CALLS; call += 1)
      await stub(name)
        .send(String(call))
        .catch((error: Error) => void messages.push(error.message));
    expect(messages).toHaveLength(CALLS);
    expect(done.length).toBeGreaterThan(0);
    expect(done.length).toBe(messages.filter((message) => message.includes('done, and')).length);
    expect(done.length).toBeLessThan(CALLS);
    // A caller without the answer does not keep its events open.
    expect(cancelled).toHaveLength(done.length);
  });

  test('bindings without faults change nothing', async () => {
    const { stub } = createEnv({});
    for (const name of OBJECTS) {
      const { ok, events } = await stub(name).send('hello');
      expect([ok, await read(events)]).toEqual([true, PIECES]);
    }
  });

  test('faults cut the events of a reply and cancel their source', async () => {
    const { cancelled, stub } = createEnv({ objects: 0.3 });
    let cut = 0;
    for (let call = 0; call < CALLS; call += 1) {
      const answer = await stub('CONVERSATIONS')
        .send(String(call))
        .catch(() => null);
      const before = cancelled.length;
      const isWhole = answer === null || (await read(answer.events).catch(() => null)) === PIECES;
      if (isWhole) continue;
      cut += 1;
      expect(cancelled.length).toBe(before + 1);
    }
    expect(cut).toBeGreaterThan(3);
    expect(cut).toBeLessThan(CALLS / 2);
  });
});
