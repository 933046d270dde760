import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import type { Persona, PersonaList } from '../../src/features/persona/contract.ts';
import { getDefaultPersona, getPersona } from '../../src/features/persona/persona-store.ts';
import { createEmail, signInGuest, createAccount, Visitor } from '../support/factories.ts';

interface Refusal {
  code: string;
  error: string;
  limit?: number;
  fields?: Record<string, string[]>;
}

const db = openDatabase(env.DB);
const TEXT = { name: 'Wren', description: 'Maps coasts. Has never learned to swim.' };

const list = (me: Visitor, query = '') => me.ask<PersonaList>(`/api/personas${query}`);
const make = (me: Visitor, fields: object = {}) =>
  me.ask<Persona>('/api/personas', { json: { ...TEXT, ...fields }, status: 201 });
const refuse = (me: Visitor, json: unknown, status = 400) =>
  me.ask<Refusal>('/api/personas', { json, status });
const change = (me: Visitor, id: string, json: unknown, status = 200) =>
  me.ask<Persona & Refusal>(`/api/personas/${id}`, { method: 'PATCH', json, status });
const gone = async (me: Visitor, path: string) =>
  expect((await me.call(path, { method: 'DELETE' })).status).toBe(204);
const makeDefault = (me: Visitor, id: string, status = 200) =>
  me.ask<Persona>(`/api/personas/${id}/default`, { method: 'PUT', status });
const defaults = async (me: Visitor) =>
  (await list(me)).items.filter((item) => item.is_default).map(({ name }) => name);
const withPlan = (me: Visitor, plan: string) =>
  env.DB.prepare('update users set plan = ? where id = ?').bind(plan, me.id).run();

describe('My personas', () => {
  test('are those I made, newest first, as I wrote them but for blanks around', async () => {
    const me = await createAccount();
    expect(await list(me)).toEqual({
      items: [],
      next_cursor: null,
      count: 0,
      limit: 5,
      member_limit: 500,
    });
    const first = await make(me, { name: '  Wren ', description: '\n Maps coasts.\nSwims. ' });
    expect(first).toEqual({
      id: expect.any(String),
      name: 'Wren',
      description: 'Maps coasts.\nSwims.',
      is_default: false,
    });
    const second = await make(me, { name: 'Ash' });
    expect(await list(me)).toMatchObject({ items: [second, first], next_cursor: null, count: 2, limit: 5 });
  });

  test('can be read in pages, each persona once', async () => {
    const me = await createAccount();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await make(me, { name });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: PersonaList = await list(me, `?limit=2&cursor=${cursor}`);
      expect(page.count).toBe(5);
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
    for (const query of ['?limit=0', '?limit=101', '?limit=x']) {
      await me.ask(`/api/personas${query}`, { status: 400 });
    }
  });

  test('change as I say, and what I leave out stays', async () => {
    const me = await createAccount();
    const { id } = await make(me);
    expect(await change(me, id, { name: ' Robin ' })).toEqual({
      id,
      name: 'Robin',
      description: TEXT.description,
      is_default: false,
    });
    expect(await change(me, id, { description: 'Sings.' })).toMatchObject({
      name: 'Robin',
      description: 'Sings.',
    });
    expect((await list(me)).items).toEqual([{ id, name: 'Robin', description: 'Sings.', is_default: false }]);
    expect(await change(me, id, {}, 400)).toMatchObject({ code: 'invalid_input' });
  });

  test('go when I delete them, and only once', async () => {
    const me = await createAccount();
    const [kept, { id }] = [await make(me), await make(me)];
    await gone(me, `/api/personas/${id}`);
    await me.ask(`/api/personas/${id}`, { method: 'DELETE', status: 404 });
    await change(me, id, { name: 'x' }, 404);
    expect((await list(me)).items).toEqual([kept]);
  });

  test('need a name and a description within their limits, and say which is missing', async () => {
    const me = await createAccount();
    const wrong: [object, Record<string, string[]>][] = [
      [{ name: 'Wren' }, { description: ['Description is required'] }],
      [{ ...TEXT, description: ' \n ' }, { description: ['Description is required'] }],
      [{ description: 'x' }, { name: ['Name is required'] }],
      [{ ...TEXT, name: '   ' }, { name: ['Name is required'] }],
      [{ ...TEXT, name: 'x'.repeat(51) }, { name: ['Name must not exceed 50 characters'] }],
      [
        { ...TEXT, description: 'x'.repeat(1001) },
        { description: ['Description must not exceed 1000 characters'] },
      ],
      [{ ...TEXT, name: 'two\nlines' }, { name: ['A name is one line of text'] }],
      [{ ...TEXT, name: 'half \ud83d' }, { name: ['This text holds half a character'] }],
      [{ ...TEXT, owner_id: 'me' }, { owner_id: ['Unknown field'] }],
    ];
    for (const [json, fields] of wrong) {
      expect(await refuse(me, json)).toMatchObject({ code: 'invalid_input', fields });
    }
    for (const json of [null, [], { ...TEXT, name: 1 }, { ...TEXT, is_default: 'yes' }]) {
      expect(await refuse(me, json)).toMatchObject({ code: 'invalid_input' });
    }
    expect((await list(me)).count).toBe(0);
    await make(me, { name: ` ${'n'.repeat(50)} `, description: `\n${'d'.repeat(1000)}\n` });
  });

  test('are mine alone: to everybody else they do not exist', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const mine = await make(me, { is_default: true });
    const theirs = await make(other, { is_default: true });
    await change(other, mine.id, { name: 'Stolen' }, 404);
    await change(other, mine.id, { is_default: true }, 404);
    await makeDefault(other, mine.id, 404);
    await other.ask(`/api/personas/${mine.id}`, { method: 'DELETE', status: 404 });
    expect((await list(me)).items).toEqual([mine]);
    expect((await list(other)).items).toEqual([theirs]);
    expect(await getPersona(db, other.id, mine.id)).toBeNull();
    expect(await getPersona(db, me.id, mine.id)).toEqual({ id: mine.id, ...TEXT });
  });

  test('are asked for by somebody only', async () => {
    const nobody = new Visitor();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', '/x'],
      ['DELETE', '/x'],
      ['PUT', '/x/default'],
      ['DELETE', '/default'],
    ] as const) {
      const json = method === 'POST' ? TEXT : method === 'PATCH' ? { name: 'x' } : undefined;
      const refused = await nobody.ask<Refusal>(`/api/personas${path}`, { method, json, status: 401 });
      expect(refused.code).toBe('unauthenticated');
    }
  });
});

describe('My default persona', () => {
  test('is at most one, follows what I chose last, and can be cleared', async () => {
    const me = await createAccount();
    const [first, second] = [await make(me, { name: 'first' }), await make(me, { name: 'second' })];
    expect(await getDefaultPersona(db, me.id)).toBeNull();
    expect(await makeDefault(me, first.id)).toEqual({ ...first, is_default: true });
    expect(await makeDefault(me, first.id)).toMatchObject({ is_default: true });
    await makeDefault(me, second.id);
    expect(await defaults(me)).toEqual(['second']);
    expect(await getDefaultPersona(db, me.id)).toEqual({ id: second.id, ...TEXT, name: 'second' });
    for (let time = 0; time < 2; time += 1) await gone(me, '/api/personas/default');
    expect(await defaults(me)).toEqual([]);
  });

  test('can be chosen while I write a persona, and goes with it', async () => {
    const me = await createAccount();
    await make(me, { name: 'first', is_default: true });
    const second = await make(me, { name: 'second', is_default: true });
    expect(second.is_default).toBe(true);
    expect(await defaults(me)).toEqual(['second']);
    const third = await make(me, { name: 'third' });
    expect(await change(me, third.id, { name: 'the third', is_default: true })).toMatchObject({
      name: 'the third',
      is_default: true,
    });
    expect(await defaults(me)).toEqual(['the third']);
    expect(await change(me, third.id, { is_default: false })).toMatchObject({ is_default: false });
    expect(await defaults(me)).toEqual([]);
    await makeDefault(me, third.id);
    await gone(me, `/api/personas/${third.id}`);
    expect(await getDefaultPersona(db, me.id)).toBeNull();
  });

  test('is one, however many I choose at once', async () => {
    const me = await createAccount();
    const made: Persona[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) made.push(await make(me, { name }));
    await Promise.all(made.map(({ id }) => makeDefault(me, id)));
    expect(await defaults(me)).toHaveLength(1);
  });

  test('stays when I try another that is not there, or one too many', async () => {
    const me = await createAccount();
    await make(me, { is_default: true });
    await makeDefault(me, 'unknown', 404);
    for (let made = 1; made < 5; made += 1) await make(me);
    await refuse(me, { ...TEXT, is_default: true }, 403);
    expect(await defaults(me)).toEqual(['Wren']);
  });
});

describe('As many personas as my plan holds', () => {
  const createAtOnce = async (me: Visitor, times: number) => {
    const answers = await Promise.all(
      Array.from({ length: times }, () => me.call('/api/personas', { json: TEXT })),
    );
    return Promise.all(
      answers.map(async (answer) => ({ status: answer.status, body: await answer.json<Refusal>() })),
    );
  };

  test('are five for free, also when I make many at once; then I am told the limit', async () => {
    const me = await createAccount();
    const answers = await createAtOnce(me, 12);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) {
      expect(status).toBe(403);
      expect(body).toEqual({
        code: 'persona_limit',
        limit: 5,
        error: 'Your plan holds up to 5 personas. Upgrade to have more.',
      });
    }
    const { items, count } = await list(me);
    expect(count).toBe(5);
    await gone(me, `/api/personas/${items[0]?.id}`);
    await make(me);
    await refuse(me, TEXT, 403);
  });

  test('are five for a guest, too', async () => {
    const me = await signInGuest();
    for (let made = 0; made < 5; made += 1) await make(me);
    expect(await refuse(me, TEXT, 403)).toMatchObject({ code: 'persona_limit', limit: 5 });
  });

  test('are 500 for a Storyteller; when the plan ends I keep what I have', async () => {
    const me = await createAccount();
    await withPlan(me, 'storyteller');
    for (let made = 0; made < 6; made += 1) await make(me);
    expect(await list(me)).toMatchObject({ count: 6, limit: 500 });
    await withPlan(me, 'free');
    expect(await list(me)).toMatchObject({ count: 6, limit: 5 });
    expect(await refuse(me, TEXT, 403)).toMatchObject({ limit: 5 });
  });
});

describe('The personas of a guest who signs in', () => {
  test('stay when the address is new', async () => {
    const me = await signInGuest();
    const mine = await make(me, { is_default: true });
    await createAccount(createEmail(), me);
    expect((await list(me)).items).toEqual([mine]);
  });

  test('move to the account, all of them; its own default stays the default', async () => {
    const account = await createAccount();
    for (const name of ['one', 'two', 'three']) await make(account, { name });
    await make(account, { name: 'own', is_default: true });
    const me = await signInGuest();
    for (const name of ['four', 'five', 'six']) await make(me, { name });
    await make(me, { name: 'brought', is_default: true });
    await createAccount(account.email, me);
    const { items, count, limit } = await list(me);
    expect(items.map(({ name }) => name).toSorted()).toEqual(
      ['brought', 'five', 'four', 'one', 'own', 'six', 'three', 'two'].toSorted(),
    );
    expect({ count, limit }).toEqual({ count: 8, limit: 5 });
    expect(await defaults(me)).toEqual(['own']);
    expect(await defaults(account)).toEqual(['own']);
  });

  test('bring their default where the account has none', async () => {
    const account = await createAccount();
    await make(account, { name: 'own' });
    const me = await signInGuest();
    await make(me, { name: 'brought', is_default: true });
    await createAccount(account.email, me);
    expect(await defaults(account)).toEqual(['brought']);
  });
});
