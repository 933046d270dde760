// Over 400 lines: personas, their trash and their limits share one fixture.
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import type { Persona, PersonaList, TrashedPersonas } from '../../../../src/features/persona/contract.ts';
import { purgeExpiredPersonas } from '../../../../src/jobs/purge-trash.ts';
import { getPersona, getStartPersona } from '../../../../src/features/persona/persona-store.ts';
import { loadTexts } from '../../../../src/locales/i18n.ts';
import { createEmail, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';

interface Refusal {
  code: string;
  error: string;
  limit?: number;
  fields?: Record<string, string[]>;
}

const db = openDatabase(env.DB);
const TEXT = { name: 'Wren', description: 'Maps coasts. Has never learned to swim.' };

const list = (me: Visitor, query = '') => me.ask<PersonaList>(`/api/personas${query}`);
const createPersona = (me: Visitor, fields: object = {}) =>
  me.ask<Persona>('/api/personas', { json: { ...TEXT, ...fields }, status: 201 });
const createRefused = (me: Visitor, json: unknown, status = 400) =>
  me.ask<Refusal>('/api/personas', { json, status });
const change = (me: Visitor, id: string, json: unknown, status = 200) =>
  me.ask<Persona & Refusal>(`/api/personas/${id}`, { method: 'PATCH', json, status });
const deleteAt = async (me: Visitor, path: string) =>
  expect((await me.call(path, { method: 'DELETE' })).status).toBe(204);
const makeDefault = (me: Visitor, id: string, status = 200) =>
  me.ask<Persona>(`/api/personas/${id}/default`, { method: 'PUT', status });
const listDefaults = async (me: Visitor) =>
  (await list(me)).items.filter((item) => item.is_default).map(({ name }) => name);
const setPlan = (me: Visitor, plan: string) =>
  env.DB.prepare('update users set plan = ? where id = ?').bind(plan, me.id).run();

describe('Personas', () => {
  test('personas are listed newest first, with their texts trimmed', async () => {
    const me = await createAccount();
    expect(await list(me)).toEqual({
      items: [],
      next_cursor: null,
      count: 0,
      limit: 5,
      member_limit: 500,
    });
    const first = await createPersona(me, { name: '  Wren ', description: '\n Maps coasts.\nSwims. ' });
    expect(first).toEqual({
      id: expect.any(String),
      name: 'Wren',
      description: 'Maps coasts.\nSwims.',
      is_default: false,
      character_id: null,
      character_name: null,
      avatar_id: null,
      avatar_url: null,
    });
    const second = await createPersona(me, { name: 'Ash' });
    expect(await list(me)).toMatchObject({ items: [second, first], next_cursor: null, count: 2, limit: 5 });
  });

  test('personas are read in pages, each persona once', async () => {
    const me = await createAccount();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await createPersona(me, { name });
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

  test('editing a persona changes only the sent fields', async () => {
    const me = await createAccount();
    const { id } = await createPersona(me);
    expect(await change(me, id, { name: ' Robin ' })).toEqual({
      id,
      name: 'Robin',
      description: TEXT.description,
      is_default: false,
      character_id: null,
      character_name: null,
      avatar_id: null,
      avatar_url: null,
    });
    expect(await change(me, id, { description: 'Sings.' })).toMatchObject({
      name: 'Robin',
      description: 'Sings.',
    });
    expect((await list(me)).items).toMatchObject([
      { id, name: 'Robin', description: 'Sings.', is_default: false },
    ]);
    expect(await change(me, id, {}, 400)).toMatchObject({ code: 'invalid_input' });
  });

  test('a persona can be deleted once', async () => {
    const me = await createAccount();
    const [remaining, { id }] = [await createPersona(me), await createPersona(me)];
    await deleteAt(me, `/api/personas/${id}`);
    await me.ask(`/api/personas/${id}`, { method: 'DELETE', status: 404 });
    await change(me, id, { name: 'x' }, 404);
    expect((await list(me)).items).toEqual([remaining]);
  });

  test('a persona with an invalid name or without a valid description is refused with field errors', async () => {
    const me = await createAccount();
    const invalid: [object, Record<string, string[]>][] = [
      [{ name: 'Wren' }, { description: ['Description is required'] }],
      [{ ...TEXT, description: ' \n ' }, { description: ['Description is required'] }],
      [{ ...TEXT, name: 'x'.repeat(51) }, { name: ['A name can have up to 50 characters'] }],
      [
        { ...TEXT, description: 'x'.repeat(1001) },
        { description: ['A description can have up to 1000 characters'] },
      ],
      [{ ...TEXT, name: 'two\nlines' }, { name: ['A name is one line of text'] }],
      [{ ...TEXT, name: 'half \ud83d' }, { name: ['This text holds half a character'] }],
      [{ ...TEXT, owner_id: 'me' }, { owner_id: ['Unknown field'] }],
    ];
    for (const [json, fields] of invalid) {
      expect(await createRefused(me, json)).toMatchObject({ code: 'invalid_input', fields });
    }
    for (const json of [null, [], { ...TEXT, name: 1 }, { ...TEXT, is_default: 'yes' }]) {
      expect(await createRefused(me, json)).toMatchObject({ code: 'invalid_input' });
    }
    expect((await list(me)).count).toBe(0);
    await createPersona(me, { name: ` ${'n'.repeat(50)} `, description: `\n${'d'.repeat(1000)}\n` });
  });

  test('a persona needs only a description, and without a name it has the name of its user', async () => {
    const me = await createAccount();
    const { description } = TEXT;
    const nameless = (await loadTexts('en')).t('chat:defaultName');
    expect(await createPersona(me, { name: undefined })).toMatchObject({ name: nameless, description });
    await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Aino' } });
    const { id } = await createPersona(me, { name: ' \u200b ' });
    expect(await change(me, id, { description: 'Sings.' })).toMatchObject({ name: 'Aino' });
    expect(await change(me, id, { name: 'Wren' })).toMatchObject({ name: 'Wren' });
    expect(await change(me, id, { name: '' })).toMatchObject({ name: 'Aino', description: 'Sings.' });
  });

  test('personas can be read and changed by their owner only', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const mine = await createPersona(me, { is_default: true });
    const foreign = await createPersona(other, { is_default: true });
    await change(other, mine.id, { name: 'Stolen' }, 404);
    await change(other, mine.id, { is_default: true }, 404);
    await makeDefault(other, mine.id, 404);
    await other.ask(`/api/personas/${mine.id}`, { method: 'DELETE', status: 404 });
    expect((await list(me)).items).toEqual([mine]);
    expect((await list(other)).items).toEqual([foreign]);
    expect(await getPersona(db, other.id, mine.id)).toBeNull();
    expect(await getPersona(db, me.id, mine.id)).toEqual({ id: mine.id, ...TEXT });
  });

  test('every persona route requires a session', async () => {
    const anonymous = new Visitor();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', '/x'],
      ['DELETE', '/x'],
      ['PUT', '/x/default'],
      ['DELETE', '/default'],
      ['GET', '/characters'],
    ] as const) {
      const json = method === 'POST' ? TEXT : method === 'PATCH' ? { name: 'x' } : undefined;
      const refused = await anonymous.ask<Refusal>(`/api/personas${path}`, { method, json, status: 401 });
      expect(refused.code).toBe('unauthenticated');
    }
  });
});

describe('Default persona', () => {
  test('a user has at most one default persona, which can be changed and cleared', async () => {
    const me = await createAccount();
    const [first, second] = [
      await createPersona(me, { name: 'first' }),
      await createPersona(me, { name: 'second' }),
    ];
    expect(await getStartPersona(db, me.id, '')).toBeNull();
    expect(await makeDefault(me, first.id)).toEqual({ ...first, is_default: true });
    expect(await makeDefault(me, first.id)).toMatchObject({ is_default: true });
    await makeDefault(me, second.id);
    expect(await listDefaults(me)).toEqual(['second']);
    expect(await getStartPersona(db, me.id, '')).toEqual({ id: second.id, ...TEXT, name: 'second' });
    for (let time = 0; time < 2; time += 1) await deleteAt(me, '/api/personas/default');
    expect(await listDefaults(me)).toEqual([]);
  });

  test('a persona can be made the default when it is saved, and deleting it clears the default', async () => {
    const me = await createAccount();
    await createPersona(me, { name: 'first', is_default: true });
    const second = await createPersona(me, { name: 'second', is_default: true });
    expect(second.is_default).toBe(true);
    expect(await listDefaults(me)).toEqual(['second']);
    const third = await createPersona(me, { name: 'third' });
    expect(await change(me, third.id, { name: 'the third', is_default: true })).toMatchObject({
      name: 'the third',
      is_default: true,
    });
    expect(await listDefaults(me)).toEqual(['the third']);
    expect(await change(me, third.id, { is_default: false })).toMatchObject({ is_default: false });
    expect(await listDefaults(me)).toEqual([]);
    await makeDefault(me, third.id);
    await deleteAt(me, `/api/personas/${third.id}`);
    expect(await getStartPersona(db, me.id, '')).toBeNull();
  });

  test('choosing several default personas at once leaves one', async () => {
    const me = await createAccount();
    const created: Persona[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) created.push(await createPersona(me, { name }));
    await Promise.all(created.map(({ id }) => makeDefault(me, id)));
    expect(await listDefaults(me)).toHaveLength(1);
  });

  test('the default persona stays when another choice fails', async () => {
    const me = await createAccount();
    await createPersona(me, { is_default: true });
    await makeDefault(me, 'unknown', 404);
    for (let created = 1; created < 5; created += 1) await createPersona(me);
    await createRefused(me, { ...TEXT, is_default: true }, 403);
    expect(await listDefaults(me)).toEqual(['Wren']);
  });
});

describe('Persona limit', () => {
  const createAtOnce = async (me: Visitor, times: number) => {
    const answers = await Promise.all(
      Array.from({ length: times }, () => me.call('/api/personas', { json: TEXT })),
    );
    return Promise.all(
      answers.map(async (answer) => ({ status: answer.status, body: await answer.json<Refusal>() })),
    );
  };

  test('a free user can have five personas, even with simultaneous requests, and the refusal names the limit', async () => {
    const me = await createAccount();
    const answers = await createAtOnce(me, 12);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) {
      expect(status).toBe(403);
      expect(body).toEqual({
        code: 'persona_limit',
        limit: 5,
        error: 'Your plan allows up to 5 personas. Upgrade to create more.',
      });
    }
    const { items, count } = await list(me);
    expect(count).toBe(5);
    await deleteAt(me, `/api/personas/${items[0]?.id}`);
    await createPersona(me);
    await createRefused(me, TEXT, 403);
  });

  test('a guest can have five personas', async () => {
    const me = await signInGuest();
    for (let created = 0; created < 5; created += 1) await createPersona(me);
    expect(await createRefused(me, TEXT, 403)).toMatchObject({ code: 'persona_limit', limit: 5 });
  });

  test('a Storyteller can have 500 personas and keeps them when the plan ends', async () => {
    const me = await createAccount();
    await setPlan(me, 'storyteller');
    for (let created = 0; created < 6; created += 1) await createPersona(me);
    expect(await list(me)).toMatchObject({ count: 6, limit: 500 });
    await setPlan(me, 'free');
    expect(await list(me)).toMatchObject({ count: 6, limit: 5 });
    expect(await createRefused(me, TEXT, 403)).toMatchObject({ limit: 5 });
  });
});

describe('Personas of a guest', () => {
  test('a guest’s personas stay when they create an account', async () => {
    const me = await signInGuest();
    const mine = await createPersona(me, { is_default: true });
    await createAccount(createEmail(), me);
    expect((await list(me)).items).toEqual([mine]);
  });

  test('a guest’s personas move to an existing account, which keeps its own default', async () => {
    const account = await createAccount();
    for (const name of ['one', 'two', 'three']) await createPersona(account, { name });
    await createPersona(account, { name: 'own', is_default: true });
    const me = await signInGuest();
    for (const name of ['four', 'five', 'six']) await createPersona(me, { name });
    await createPersona(me, { name: 'brought', is_default: true });
    await createAccount(account.email, me);
    const { items, count, limit } = await list(me);
    expect(items.map(({ name }) => name).toSorted()).toEqual(
      ['brought', 'five', 'four', 'one', 'own', 'six', 'three', 'two'].toSorted(),
    );
    expect({ count, limit }).toEqual({ count: 8, limit: 5 });
    expect(await listDefaults(me)).toEqual(['own']);
    expect(await listDefaults(account)).toEqual(['own']);
  });

  test('a guest’s default persona becomes the account’s when it has none', async () => {
    const account = await createAccount();
    await createPersona(account, { name: 'own' });
    const me = await signInGuest();
    await createPersona(me, { name: 'brought', is_default: true });
    await createAccount(account.email, me);
    expect(await listDefaults(account)).toEqual(['brought']);
  });
});

describe('The trash of personas', () => {
  const listTrash = async (me: Visitor) => (await me.ask<TrashedPersonas>('/api/personas/trash')).items;
  const restore = (me: Visitor, id: string, status = 200) =>
    me.ask<Persona & Refusal>(`/api/personas/${id}/restore`, { method: 'POST', status });
  const age = (id: string, days: number) =>
    env.DB.prepare('update personas set deleted_at = deleted_at - ? where id = ?')
      .bind(days * 86_400_000, id)
      .run();

  test('a deleted persona is in the trash for 30 days, and is restored with its texts', async () => {
    const me = await createAccount();
    const made = await createPersona(me, { is_default: true });
    await deleteAt(me, `/api/personas/${made.id}`);
    expect(await list(me)).toMatchObject({ items: [], count: 0 });
    expect(await getPersona(db, me.id, made.id)).toBeNull();
    const [trashed, ...others] = await listTrash(me);
    expect(others).toEqual([]);
    expect(trashed).toMatchObject({ ...made, is_default: false });
    const days = Date.parse(trashed?.expires_at ?? '') - Date.parse(trashed?.deleted_at ?? '');
    expect(days).toBe(30 * 86_400_000);
    await change(me, made.id, { name: 'Robin' }, 404);
    await makeDefault(me, made.id, 404);
    expect(await restore(me, made.id)).toEqual({ ...made, is_default: false });
    // A client that lost the answer asks again.
    expect(await restore(me, made.id)).toEqual({ ...made, is_default: false });
    expect(await listTrash(me)).toEqual([]);
    expect(await list(me)).toMatchObject({ items: [{ id: made.id }], count: 1 });
  });

  test('a persona in the trash takes no place, and is restored only where there is one', async () => {
    const me = await createAccount();
    const { id } = await createPersona(me, { import_key: 'key-1' });
    await deleteAt(me, `/api/personas/${id}`);
    for (const name of ['a', 'b', 'c', 'd']) await createPersona(me, { name });
    // The import key is free again.
    const { id: again } = await createPersona(me, { import_key: 'key-1' });
    expect(again).not.toBe(id);
    expect(await restore(me, id, 403)).toMatchObject({ code: 'persona_limit', limit: 5 });
    await deleteAt(me, `/api/personas/${again}`);
    await restore(me, id);
    expect(await list(me)).toMatchObject({ count: 5 });
  });

  test('personas in the trash are seen and restored by their owner only', async () => {
    const me = await createAccount();
    const { id } = await createPersona(me);
    await deleteAt(me, `/api/personas/${id}`);
    const other = await createAccount();
    expect(await listTrash(other)).toEqual([]);
    await restore(other, id, 404);
    const nobody = new Visitor();
    await nobody.ask('/api/personas/trash', { status: 401 });
    await nobody.ask(`/api/personas/${id}/restore`, { method: 'POST', status: 401 });
    expect(await listTrash(me)).toHaveLength(1);
  });

  test('the purge erases only what was in the trash for 30 days', async () => {
    const me = await createAccount();
    const [old, young, kept] = [await createPersona(me), await createPersona(me), await createPersona(me)];
    for (const { id } of [old, young]) await deleteAt(me, `/api/personas/${id}`);
    await age(old.id, 30);
    await age(young.id, 29);
    await purgeExpiredPersonas(db, Date.now());
    expect((await listTrash(me)).map(({ id }) => id)).toEqual([young.id]);
    await restore(me, old.id, 404);
    expect((await list(me)).items.map(({ id }) => id)).toEqual([kept.id]);
  });

  test('the oldest persona in the trash makes room for the hundred-and-first', async () => {
    const me = await createAccount();
    const insert = env.DB.prepare(
      `insert into personas (id, owner_id, name, description, deleted_at, created_at, updated_at)
       values (?, ?, 'Old', 'Old.', ?, 1, 1)`,
    );
    const rows = Array.from({ length: 100 }, (_, index) => index + 1);
    await env.DB.batch(rows.map((at) => insert.bind(`${me.id}-${at}`, me.id, at)));
    const { id } = await createPersona(me);
    await deleteAt(me, `/api/personas/${id}`);
    const ids = (await listTrash(me)).map((item) => item.id);
    expect(ids).toHaveLength(100);
    expect(ids[0]).toBe(id);
    expect(ids).not.toContain(`${me.id}-1`);
  });

  test('a guest’s personas in the trash move to the account, and are in its data', async () => {
    const email = createEmail();
    const account = await createAccount(email);
    const guest = await signInGuest();
    const { id } = await createPersona(guest, { name: 'Guest’s' });
    await deleteAt(guest, `/api/personas/${id}`);
    await createAccount(email, guest);
    expect(await listTrash(guest)).toMatchObject([{ id, name: 'Guest’s' }]);
    const exported = await guest.ask<{ account: { personas: { id: string; deleted_at: string | null }[] } }>(
      '/api/account/export?format=json',
    );
    expect(exported.account.personas).toMatchObject([{ id, deleted_at: expect.any(String) }]);
    expect(await list(account)).toMatchObject({ count: 0 });
  });
});
