import { describe, expect, test } from 'vitest';
import type { Persona } from '../../../../src/features/persona/contract.ts';
import { createPersonaSelector } from '../../../../src/islands/chat/dialogs/persona-selection.ts';
import type { PersonasApi } from '../../../../src/islands/personas/personas-api.ts';
import {
  createPersonasStore,
  hasMaxPersonas,
  isOverLimit,
} from '../../../../src/islands/personas/personas-state.ts';
import type { Failure, Result } from '../../../../src/islands/shared/api.ts';

const refusal = (status: number, code: string): Failure => ({ ok: false, status, code, error: '' });
const OFFLINE = refusal(0, 'network');
const WREN: Persona = {
  id: '1',
  name: 'Wren',
  description: 'Maps coasts.',
  is_default: false,
  character_id: null,
  character_name: null,
  avatar_id: null,
  avatar_url: null,
};
const ASH: Persona = { ...WREN, id: '2', name: 'Ash' };
const fields = ({ name, description, is_default }: Persona) => ({ name, description, is_default });

/** A user with personas, and a server that lists them newest first, three per page. */
function createUser(stored: Persona[], { limit = 5, session = true } = {}) {
  const server = {
    items: [...stored],
    signedIn: session,
    next: null as Failure | null,
    calls: 0,
    signIns: 0,
    comes: 'me',
  };
  const answer = <T>(data: () => T): Result<T> => {
    server.calls += 1;
    if (!server.signedIn) return refusal(401, 'unauthenticated');
    const failure = server.next;
    server.next = null;
    return failure ?? { ok: true, data: data() };
  };
  const setDefault = (id: string | null) => {
    server.items = server.items.map((item) => ({ ...item, is_default: item.id === id }));
  };
  const api: PersonasApi = {
    list: async (cursor) =>
      answer(() => {
        const start = cursor ? server.items.findIndex(({ id }) => id === cursor) + 1 : 0;
        const items = server.items.slice(start, start + 3);
        const more = server.items.length > start + 3;
        return {
          items,
          next_cursor: more ? (items.at(-1)?.id ?? null) : null,
          count: server.items.length,
          limit,
          member_limit: 500,
        };
      }),
    create: async (body) => {
      if (server.items.length >= limit) return refusal(403, 'persona_limit');
      return answer(() => {
        const { import_key: _, ...fields } = body;
        const made = {
          ...WREN,
          id: `new-${server.items.length}`,
          is_default: false,
          character_id: null,
          avatar_id: null,
          ...fields,
          name: fields.name ?? '',
        };
        if (made.is_default) setDefault(null);
        server.items = [made, ...server.items];
        return made;
      });
    },
    change: async (id, change) =>
      answer(() => {
        server.items = server.items.map((item) =>
          item.id === id ? ({ ...item, ...change } as Persona) : item,
        );
        return server.items.find((item) => item.id === id) as Persona;
      }),
    remove: async (id) =>
      answer(() => {
        server.items = server.items.filter((item) => item.id !== id);
        return null;
      }),
    makeDefault: async (id) =>
      answer(() => {
        setDefault(id);
        return server.items.find((item) => item.id === id) as Persona;
      }),
    clearDefault: async () =>
      answer(() => {
        setDefault(null);
        return null;
      }),
  };
  const personas = createPersonasStore({
    api,
    asker: {
      getUserId: () => 'me',
      signIn: async () => {
        server.signIns += 1;
        return server.signedIn ? server.comes : null;
      },
    },
  });
  return { personas, server, now: () => personas.$personas.get() };
}

describe('Personas', () => {
  test('personas load with their limit, and the rest on request', async () => {
    const stored = ['9', '8', '7', '6'].map((id) => ({ ...WREN, id }));
    const { personas, now } = createUser(stored);
    await personas.load();
    expect(now()).toMatchObject({
      status: 'ready',
      items: stored.slice(0, 3),
      count: 4,
      limit: 5,
      memberLimit: 500,
    });
    await personas.showMore();
    expect(now()).toMatchObject({ items: stored, nextCursor: null, more: 'idle' });
  });

  test('personas stay in the list when a reload fails, and loading more can be repeated', async () => {
    const stored = ['9', '8', '7', '6'].map((id) => ({ ...WREN, id }));
    const { personas, server, now } = createUser(stored);
    await personas.load();
    server.next = OFFLINE;
    await personas.showMore();
    expect(now()).toMatchObject({ more: 'failed', items: stored.slice(0, 3) });
    await personas.showMore();
    expect(now().items).toEqual(stored);
    server.next = OFFLINE;
    await personas.load();
    expect(now()).toMatchObject({ status: 'failed', items: stored });
  });

  test('a new persona appears on top and a changed one in its place', async () => {
    const { personas, server, now } = createUser([ASH, WREN]);
    await personas.load();
    await personas.save(null, { ...fields(WREN), name: 'Robin' });
    await personas.save(WREN.id, { ...fields(WREN), name: 'Wren the Bold' });
    expect(now().items.map(({ name }) => name)).toEqual(['Robin', 'Ash', 'Wren the Bold']);
    expect(now().count).toBe(3);
    expect(server.items).toEqual(now().items);
  });

  test('at most one persona is the default, however it was chosen', async () => {
    const { personas, server, now } = createUser([ASH, { ...WREN, is_default: true }]);
    const defaults = () =>
      now()
        .items.filter((item) => item.is_default)
        .map(({ name }) => name);
    await personas.load();
    await personas.makeDefault(ASH.id);
    expect(defaults()).toEqual(['Ash']);
    await personas.save(null, { ...fields(WREN), name: 'Robin', is_default: true });
    expect(defaults()).toEqual(['Robin']);
    await personas.clearDefault();
    expect(defaults()).toEqual([]);
    server.next = OFFLINE;
    expect(await personas.makeDefault(WREN.id)).toEqual(OFFLINE);
    expect(defaults()).toEqual([]);
  });

  test('a deleted persona disappears, even if it was gone already, while a failure keeps it', async () => {
    const { personas, server, now } = createUser([ASH, WREN]);
    await personas.load();
    server.next = OFFLINE;
    expect(await personas.remove(ASH.id)).toEqual(OFFLINE);
    expect(now().items).toHaveLength(2);
    expect(await personas.remove(ASH.id)).toBeNull();
    server.next = refusal(404, 'not_found');
    expect(await personas.remove(WREN.id)).toBeNull();
    expect(now()).toMatchObject({ items: [], count: 0, busyId: null });
  });

  test('a persona is deleted only once undo is no longer possible, and undo restores its place', async () => {
    const { personas, server, now } = createUser([ASH, { ...WREN, is_default: true }]);
    await personas.load();
    const calls = server.calls;
    const removal = personas.scheduleRemoval(WREN.id);
    expect(now()).toMatchObject({ items: [ASH], count: 1 });
    await personas.load();
    expect(now()).toMatchObject({ items: [ASH], count: 1 });
    expect(removal?.undoRemoval()).toBe(true);
    expect(now()).toMatchObject({ items: [ASH, { ...WREN, is_default: true }], count: 2 });
    expect(await removal?.confirmRemoval()).toBeNull();
    expect(server.calls).toBe(calls + 1);
    expect(server.items).toHaveLength(2);

    const confirmed = personas.scheduleRemoval(ASH.id);
    expect(await confirmed?.confirmRemoval()).toBeNull();
    expect(confirmed?.undoRemoval()).toBe(false);
    expect(server.items).toMatchObject([{ id: WREN.id }]);
    expect(now()).toMatchObject({ items: [{ id: WREN.id }], count: 1 });
  });

  test('a persona whose deletion failed is listed again', async () => {
    const { personas, server, now } = createUser([ASH, WREN]);
    await personas.load();
    const removal = personas.scheduleRemoval(ASH.id);
    server.next = OFFLINE;
    expect(await removal?.confirmRemoval()).toEqual(OFFLINE);
    expect(now()).toMatchObject({ items: [ASH, WREN], count: 2 });
  });

  test('a deletion is completed at once when a new persona needs its place', async () => {
    const { personas, server, now } = createUser([ASH, WREN], { limit: 2 });
    await personas.load();
    const removal = personas.scheduleRemoval(ASH.id);
    expect(hasMaxPersonas(now())).toBe(false);
    expect(await personas.save(null, { ...fields(ASH), name: 'Robin' })).toMatchObject({ ok: true });
    expect(server.items.map(({ name }) => name)).toEqual(['Robin', 'Wren']);
    expect(removal?.undoRemoval()).toBe(false);
    expect(now().items.map(({ name }) => name)).toEqual(['Robin', 'Wren']);
  });

  test('a scheduled deletion is carried out when the account changes', async () => {
    const { personas, server } = createUser([ASH, WREN]);
    await personas.load();
    personas.scheduleRemoval(ASH.id);
    personas.reset();
    await Promise.resolve();
    expect(server.items).toEqual([WREN]);
  });

  test('the limit of personas takes into account those added in another tab', async () => {
    const { personas, server, now } = createUser([WREN], { limit: 2 });
    await personas.load();
    expect(hasMaxPersonas(now())).toBe(false);
    server.items = [ASH, WREN];
    expect(await personas.save(null, fields(WREN))).toEqual(refusal(403, 'persona_limit'));
    expect(now()).toMatchObject({ items: [ASH, WREN], count: 2 });
    expect(hasMaxPersonas(now())).toBe(true);
    expect(isOverLimit(now())).toBe(false);
    server.items = [...server.items, { ...ASH, id: '3' }];
    await personas.load();
    expect(isOverLimit(now())).toBe(true);
  });

  test('a persona is saved after the user logs in again', async () => {
    const { personas, server, now } = createUser([]);
    await personas.load();
    server.signedIn = false;
    expect(await personas.save(null, fields(WREN))).toEqual(refusal(401, 'unauthenticated'));
    expect(server.signIns).toBe(1);
    expect(now().items).toEqual([]);
    const saving = personas.save(null, fields(WREN));
    server.signedIn = true;
    expect(await saving).toMatchObject({ ok: true });
    expect(now().items).toMatchObject([{ name: 'Wren' }]);
  });

  test('a persona is not saved to another account that logged in meanwhile', async () => {
    const { personas, server } = createUser([]);
    await personas.load();
    server.signedIn = false;
    server.comes = 'somebody';
    const saving = personas.save(null, fields(WREN));
    server.signedIn = true;
    expect(await saving).toMatchObject({ ok: false, code: 'other_account' });
    expect(server.items).toEqual([]);
  });

  test('a reset forgets the personas, even those still loading', async () => {
    const { personas, now } = createUser([WREN]);
    const loading = personas.load();
    personas.reset();
    await loading;
    expect(now()).toMatchObject({ status: 'idle', items: [] });
  });
});

describe('Persona selection in a chat', () => {
  /** A chat whose answers the test gives one by one. */
  function chat() {
    const requests: { id: string | null; done: (ok: boolean) => void }[] = [];
    const states: unknown[] = [];
    const choose = createPersonaSelector(
      (id) => new Promise((done) => requests.push({ id, done })),
      (state) => states.push(state),
    );
    return { requests, states, choose };
  }

  test("a chosen persona is shown at once and settled by the server's answer", async () => {
    const { requests, states, choose } = chat();
    const chosen = choose('1');
    expect(states).toEqual([{ wanted: '1', failed: null }]);
    requests[0]?.done(true);
    await chosen;
    expect(states.at(-1)).toEqual({ wanted: undefined, failed: null });
  });

  test('choosing several personas quickly requests only the first and the last', async () => {
    const { requests, choose } = chat();
    const first = choose('1');
    for (const id of ['2', '3', null]) void choose(id);
    expect(requests.map(({ id }) => id)).toEqual(['1']);
    requests[0]?.done(true);
    await Promise.resolve();
    await Promise.resolve();
    expect(requests.map(({ id }) => id)).toEqual(['1', null]);
    requests[1]?.done(true);
    await first;
    expect(requests).toHaveLength(2);
  });

  test('a failed choice reports whether setting or clearing failed, and can be repeated', async () => {
    const { requests, states, choose } = chat();
    const set = choose('1');
    requests[0]?.done(false);
    await set;
    expect(states.at(-1)).toEqual({ wanted: undefined, failed: 'set' });
    const clear = choose(null);
    requests[1]?.done(false);
    await clear;
    expect(states.at(-1)).toEqual({ wanted: undefined, failed: 'clear' });
    const again = choose('1');
    requests[2]?.done(true);
    await again;
    expect(states.at(-1)).toEqual({ wanted: undefined, failed: null });
  });
});
