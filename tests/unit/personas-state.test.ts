import { describe, expect, test } from 'vitest';
import type { Persona } from '../../src/features/persona/contract.ts';
import { createPersonaSelector } from '../../src/islands/chat/dialogs/persona-selection.ts';
import type { PersonasApi } from '../../src/islands/personas/personas-api.ts';
import {
  createPersonasStore,
  hasMaxPersonas,
  isOverLimit,
} from '../../src/islands/personas/personas-state.ts';
import type { Failure, Result } from '../../src/islands/shared/api.ts';

const refusal = (status: number, code: string): Failure => ({ ok: false, status, code, error: '' });
const OFFLINE = refusal(0, 'network');
const WREN: Persona = { id: '1', name: 'Wren', description: 'Maps coasts.', is_default: false };
const ASH: Persona = { ...WREN, id: '2', name: 'Ash' };
const fields = ({ name, description, is_default }: Persona) => ({ name, description, is_default });

/** Somebody with personas on a server that keeps them in order, newest first, three at a time. */
function someone(kept: Persona[], { limit = 5, session = true } = {}) {
  const server = {
    items: [...kept],
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
        const made = { id: `new-${server.items.length}`, is_default: false, ...body };
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

describe('My personas on the page', () => {
  test('are loaded with how many I may have, and the rest when I ask for it', async () => {
    const kept = ['9', '8', '7', '6'].map((id) => ({ ...WREN, id }));
    const { personas, now } = someone(kept);
    await personas.load();
    expect(now()).toMatchObject({
      status: 'ready',
      items: kept.slice(0, 3),
      count: 4,
      limit: 5,
      memberLimit: 500,
    });
    await personas.showMore();
    expect(now()).toMatchObject({ items: kept, nextCursor: null, more: 'idle' });
  });

  test('stay when they cannot be fetched again, and the rest can be asked for again', async () => {
    const kept = ['9', '8', '7', '6'].map((id) => ({ ...WREN, id }));
    const { personas, server, now } = someone(kept);
    await personas.load();
    server.next = OFFLINE;
    await personas.showMore();
    expect(now()).toMatchObject({ more: 'failed', items: kept.slice(0, 3) });
    await personas.showMore();
    expect(now().items).toEqual(kept);
    server.next = OFFLINE;
    await personas.load();
    expect(now()).toMatchObject({ status: 'failed', items: kept });
  });

  test('show what I make on top and what I change in its place', async () => {
    const { personas, server, now } = someone([ASH, WREN]);
    await personas.load();
    await personas.save(null, { ...fields(WREN), name: 'Robin' });
    await personas.save(WREN.id, { ...fields(WREN), name: 'Wren the Bold' });
    expect(now().items.map(({ name }) => name)).toEqual(['Robin', 'Ash', 'Wren the Bold']);
    expect(now().count).toBe(3);
    expect(server.items).toEqual(now().items);
  });

  test('have one default, whichever way I choose it', async () => {
    const { personas, server, now } = someone([ASH, { ...WREN, is_default: true }]);
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

  test('go when I delete them, also one that is gone already; a failure leaves it', async () => {
    const { personas, server, now } = someone([ASH, WREN]);
    await personas.load();
    server.next = OFFLINE;
    expect(await personas.remove(ASH.id)).toEqual(OFFLINE);
    expect(now().items).toHaveLength(2);
    expect(await personas.remove(ASH.id)).toBeNull();
    server.next = refusal(404, 'not_found');
    expect(await personas.remove(WREN.id)).toBeNull();
    expect(now()).toMatchObject({ items: [], count: 0, busyId: null });
  });

  test('are deleted only when I can no longer undo it: had back, it is the same one, in its place', async () => {
    const { personas, server, now } = someone([ASH, { ...WREN, is_default: true }]);
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

    const meant = personas.scheduleRemoval(ASH.id);
    expect(await meant?.confirmRemoval()).toBeNull();
    expect(meant?.undoRemoval()).toBe(false);
    expect(server.items).toMatchObject([{ id: WREN.id }]);
    expect(now()).toMatchObject({ items: [{ id: WREN.id }], count: 1 });
  });

  test('that could not be deleted after all are in the list again', async () => {
    const { personas, server, now } = someone([ASH, WREN]);
    await personas.load();
    const removal = personas.scheduleRemoval(ASH.id);
    server.next = OFFLINE;
    expect(await removal?.confirmRemoval()).toEqual(OFFLINE);
    expect(now()).toMatchObject({ items: [ASH, WREN], count: 2 });
  });

  test('make room at once for a new one where I have deleted one', async () => {
    const { personas, server, now } = someone([ASH, WREN], { limit: 2 });
    await personas.load();
    const removal = personas.scheduleRemoval(ASH.id);
    expect(hasMaxPersonas(now())).toBe(false);
    expect(await personas.save(null, { ...fields(ASH), name: 'Robin' })).toMatchObject({ ok: true });
    expect(server.items.map(({ name }) => name)).toEqual(['Robin', 'Wren']);
    expect(removal?.undoRemoval()).toBe(false);
    expect(now().items.map(({ name }) => name)).toEqual(['Robin', 'Wren']);
  });

  test('that I deleted are deleted also when somebody else is here', async () => {
    const { personas, server } = someone([ASH, WREN]);
    await personas.load();
    personas.scheduleRemoval(ASH.id);
    personas.reset();
    await Promise.resolve();
    expect(server.items).toEqual([WREN]);
  });

  test('tell when there is no room, and how many there are when another tab has filled it', async () => {
    const { personas, server, now } = someone([WREN], { limit: 2 });
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

  test('are saved after I have logged in again, where the session had ended', async () => {
    const { personas, server, now } = someone([]);
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

  test('are not saved with somebody else who signed in where my session had ended', async () => {
    const { personas, server } = someone([]);
    await personas.load();
    server.signedIn = false;
    server.comes = 'somebody';
    const saving = personas.save(null, fields(WREN));
    server.signedIn = true;
    expect(await saving).toMatchObject({ ok: false, code: 'other_account' });
    expect(server.items).toEqual([]);
  });

  test('are forgotten when somebody else is here, also those that were on their way', async () => {
    const { personas, now } = someone([WREN]);
    const loading = personas.load();
    personas.reset();
    await loading;
    expect(now()).toMatchObject({ status: 'idle', items: [] });
  });
});

describe('Choosing a persona in a chat', () => {
  /** A chat whose answers the test gives one by one. */
  function chat() {
    const asked: { id: string | null; done: (ok: boolean) => void }[] = [];
    const shown: unknown[] = [];
    const choose = createPersonaSelector(
      (id) => new Promise((done) => asked.push({ id, done })),
      (state) => shown.push(state),
    );
    return { asked, shown, choose };
  }

  test('shows at once what I chose, and is settled when the server has said so', async () => {
    const { asked, shown, choose } = chat();
    const chosen = choose('1');
    expect(shown).toEqual([{ wanted: '1', failed: null }]);
    asked[0]?.done(true);
    await chosen;
    expect(shown.at(-1)).toEqual({ wanted: undefined, failed: null });
  });

  test('while I move through the list, carries out only where I came to rest', async () => {
    const { asked, choose } = chat();
    const first = choose('1');
    for (const id of ['2', '3', null]) void choose(id);
    expect(asked.map(({ id }) => id)).toEqual(['1']);
    asked[0]?.done(true);
    await Promise.resolve();
    await Promise.resolve();
    expect(asked.map(({ id }) => id)).toEqual(['1', null]);
    asked[1]?.done(true);
    await first;
    expect(asked).toHaveLength(2);
  });

  test('says whether choosing or clearing failed, and can be tried again', async () => {
    const { asked, shown, choose } = chat();
    const set = choose('1');
    asked[0]?.done(false);
    await set;
    expect(shown.at(-1)).toEqual({ wanted: undefined, failed: 'set' });
    const clear = choose(null);
    asked[1]?.done(false);
    await clear;
    expect(shown.at(-1)).toEqual({ wanted: undefined, failed: 'clear' });
    const again = choose('1');
    asked[2]?.done(true);
    await again;
    expect(shown.at(-1)).toEqual({ wanted: undefined, failed: null });
  });
});
