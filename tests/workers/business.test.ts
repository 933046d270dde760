import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { purgeOnConfigChange, PURGED_CONFIG_KEY } from '../../src/services/purge-on-config-change.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { stalePages } from '../../src/db/schema/character.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { RuntimeConfigView } from '../../src/features/runtime-config/contract.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
  readRuntimeConfig,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import type { Invites } from '../../src/features/account/invite-contract.ts';
import type { PersonaList } from '../../src/features/persona/contract.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import { signInGuest, getPoints, createAccount, Visitor } from '../support/factories.ts';

const db = openDatabase(env.DB);
const MINUTE_MS = 60_000;

/** Nothing is changed, here and for the tests beside. */
async function asItWas(): Promise<void> {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  await env.KV.delete(PURGED_CONFIG_KEY);
  clearRuntimeConfigCache(env);
}
beforeEach(asItWas);
afterEach(async () => {
  vi.useRealTimers();
  await asItWas();
});

/** Somebody of the operator's. */
async function admin(): Promise<Visitor> {
  const me = await createAccount();
  return new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
}
const show = (me: Visitor) => me.ask<RuntimeConfigView>('/api/admin/business');
const set = (me: Visitor, json: object) =>
  me.ask<RuntimeConfigView>('/api/admin/business', { method: 'PUT', json });
const refuse = (me: Visitor, json: unknown, status = 400) =>
  me.ask<{ code: string; fields?: Record<string, string[]> }>('/api/admin/business', {
    method: 'PUT',
    json,
    status,
  });
/** What somebody puts into KV by hand. */
const put = (text: string) => env.KV.put(RUNTIME_CONFIG_KV_KEY, text);

describe('The numbers of the business', () => {
  test('are for the operator’s own people: for everybody else there is nothing there', async () => {
    const me = await createAccount();
    const visitors = [me, await signInGuest(), new Visitor()];
    const statuses = async (options: object) =>
      Promise.all(visitors.map(async (one) => (await one.call('/api/admin/business', options)).status));
    expect(await statuses({})).toEqual([404, 404, 401]);
    expect(await statuses({ method: 'PUT', json: { invite_points: 90 } })).toEqual([404, 404, 401]);
    // Nor do they learn what it would take.
    expect(await refuse(me, { nonsense: 1 }, 404)).toMatchObject({ code: 'not_found' });
    expect(await env.KV.get(RUNTIME_CONFIG_KV_KEY)).toBeNull();
  });

  test('are what the software comes with until the operator changes some, and are in force at once', async () => {
    const operator = await admin();
    expect(await show(operator)).toEqual({
      business: RUNTIME_CONFIG_DEFAULTS,
      defaults: RUNTIME_CONFIG_DEFAULTS,
      changed: [],
      not_understood: [],
    });
    const [me, inviter] = [await signInGuest(), await createAccount()];
    expect(await me.ask<PersonaList>('/api/personas')).toMatchObject({ limit: 5, member_limit: 500 });

    const change = { personas_free: 2, personas_storyteller: 50, invite_points: 25, commission_percent: 20 };
    expect(await set(operator, change)).toMatchObject({
      business: { ...RUNTIME_CONFIG_DEFAULTS, ...change },
      changed: ['invite_points', 'commission_percent', 'personas_free', 'personas_storyteller'],
    });
    expect(await me.ask<PersonaList>('/api/personas')).toMatchObject({ limit: 2, member_limit: 50 });
    for (const name of ['one', 'two'])
      await me.ask('/api/personas', { json: { name, description: 'x' }, status: 201 });
    expect(
      await me.ask('/api/personas', { json: { name: 'three', description: 'x' }, status: 403 }),
    ).toMatchObject({ code: 'persona_limit', limit: 2 });
    expect(await inviter.ask<Invites>('/api/invites')).toMatchObject({
      invite_points: 25,
      commission_percent: 20,
    });
    const { code } = await inviter.ask<Invites>('/api/invites', { method: 'POST' });
    const invited = await createAccount();
    expect(await invited.ask('/api/onboarding', { json: { invite_code: code } })).toMatchObject({
      points_awarded: 25,
    });
    expect(await getPoints(invited)).toMatchObject({ permanent_points: 25 });
  });

  test('are changed one after the other, and null takes one back to its default', async () => {
    const operator = await admin();
    await set(operator, { invite_points: 25 });
    await set(operator, { daily_message_limit: null });
    const after = await set(operator, { invite_points: null });
    expect(after).toMatchObject({
      business: { ...RUNTIME_CONFIG_DEFAULTS, daily_message_limit: null },
      changed: ['daily_message_limit'],
    });
    expect(await show(operator)).toEqual(after);
    expect(JSON.parse((await env.KV.get(RUNTIME_CONFIG_KV_KEY)) as string)).toEqual({
      daily_message_limit: null,
    });
  });

  test('are refused by name when they are wrong, and then none of them is changed', async () => {
    const operator = await admin();
    expect(await refuse(operator, { invite_points: -1, refill_hours: 4, unheard_of: 1 })).toEqual({
      code: 'invalid_input',
      error: expect.any(String),
      fields: { invite_points: [expect.any(String)], unheard_of: ['Unknown field'] },
    });
    expect(await refuse(operator, { personas_free: 600 })).toMatchObject({
      code: 'invalid_input',
      fields: { personas_storyteller: [expect.any(String)] },
    });
    expect(await refuse(operator, {})).toMatchObject({ code: 'invalid_input' });
    expect(await env.KV.get(RUNTIME_CONFIG_KV_KEY)).toBeNull();
    expect(await show(operator)).toMatchObject({ changed: [] });
  });

  test('that are put into KV by hand are in force within a minute', async () => {
    const me = await createAccount();
    const worth = async () => (await me.ask<Invites>('/api/invites')).invite_points;
    expect(await worth()).toBe(10);
    await put('{"invite_points":30}');
    expect(await worth()).toBe(10);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE_MS / 2 });
    expect(await worth()).toBe(30);
  });

  test.each([
    ['broken JSON', '{"invite_points":30', ['_']],
    ['a list', '[{"invite_points":30}]', ['_']],
    ['nothing but wrong values', '{"invite_points":"30","refill_hours":0,"nobody":1}', undefined],
    ['a nested text', JSON.stringify({ invite_points: { $gt: 0 } }), ['invite_points']],
  ])('break nothing when what is put there by hand is %s', async (_, text, names) => {
    await put(text);
    const me = await createAccount();
    expect(await me.ask<Invites>('/api/invites')).toMatchObject({ invite_points: 10 });
    expect(await me.ask<PersonaList>('/api/personas')).toMatchObject({ limit: 5 });
    expect(await getPoints(me)).toMatchObject({ current_points: 50, message_cost: 1 });
    const operator = await admin();
    expect(await show(operator)).toMatchObject({
      business: RUNTIME_CONFIG_DEFAULTS,
      changed: [],
      not_understood: names ?? ['invite_points', 'refill_hours', 'nobody'],
    });
    // The next change mends it.
    expect(await set(operator, { refill_hours: 4 })).toMatchObject({
      business: { refill_hours: 4 },
      not_understood: [],
    });
  });

  test('stay those that were just set here, while KV still answers with what it held before', async () => {
    const operator = await admin();
    const slow = {
      held: await env.KV.get(RUNTIME_CONFIG_KV_KEY),
      get: async () => slow.held,
      put: async () => undefined,
    };
    const elsewhere = { KV: slow as unknown as KVNamespace };
    const me = new ConfiguredVisitor({ ADMIN_EMAILS: operator.email, ...elsewhere }, operator);
    await set(me, { invite_points: 25 });
    expect(await set(me, { refill_hours: 4 })).toMatchObject({ changed: ['refill_hours', 'invite_points'] });
    expect(await show(me)).toMatchObject({ business: { invite_points: 25, refill_hours: 4 } });
    expect(await readRuntimeConfig(elsewhere)).toMatchObject({ invite_points: 25 });
    // KV has come to know another change in the meantime, and that one holds.
    slow.held = '{"invite_points":26}';
    expect(await readRuntimeConfig(elsewhere, Date.now() + MINUTE_MS)).toMatchObject({ invite_points: 26 });
  });

  test('that are changed leave a line in the log: who, which, from what to what', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const operator = await admin();
    await set(operator, { refill_hours: 4, daily_message_limit: null });
    const lines = log.mock.calls.flat().filter((line) => String(line).includes('business_changed'));
    log.mockRestore();
    expect(lines.map((line) => JSON.parse(line as string))).toEqual([
      {
        event: 'business_changed',
        level: 'info',
        request_id: expect.any(String),
        admin_id: operator.id,
        before: { refill_hours: 8, daily_message_limit: 100 },
        after: { refill_hours: 4, daily_message_limit: null },
      },
    ]);
  });
});

describe('Public pages, which show what things cost,', () => {
  const KINDS = ['blog', 'character', 'creator', 'home', 'list'];
  /** Those that caches are still to be told of; told of them, they are none. */
  async function stale(): Promise<string[]> {
    const rows = await db.select({ tag: stalePages.tag }).from(stalePages);
    await db.delete(stalePages).where(sql`tag in (select value from json_each(${JSON.stringify(KINDS)}))`);
    return rows
      .map(({ tag }) => tag)
      .filter((tag) => KINDS.includes(tag))
      .toSorted();
  }
  beforeEach(stale);
  const start = Date.UTC(2100, 0, 1);
  const minute = (count: number) => purgeOnConfigChange(env, db, start + count * MINUTE_MS);

  test('are out of date as soon as the operator changes a number', async () => {
    const operator = await admin();
    await set(operator, { refill_hours: 4 });
    expect(await stale()).toEqual(KINDS);
    await refuse(operator, { refill_hours: 0 });
    expect(await stale()).toEqual([]);
  });

  test('are so once when it was changed by hand, and once more when the whole world knows of it', async () => {
    await minute(0);
    expect(await stale()).toEqual([]);
    await put('{"refill_hours":4}');
    const told: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      await minute(count);
      if ((await stale()).length > 0) told.push(count);
    }
    expect(told).toEqual([1, 3]);
  });

  test('are so again when a change is taken back, or comes while the last one spreads', async () => {
    await put('{"refill_hours":4}');
    await minute(0);
    await put('{"refill_hours":5}');
    await stale();
    const told: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      if (count === 6) await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
      await minute(count);
      if ((await stale()).length > 0) told.push(count);
    }
    expect(told).toEqual([1, 3, 6, 8]);
  });

  test('stay as they are when what was written changes no number, or cannot be understood', async () => {
    await put(JSON.stringify({ refill_hours: RUNTIME_CONFIG_DEFAULTS.refill_hours }));
    await minute(0);
    await minute(5);
    await stale();
    await put('{broken');
    await minute(6);
    expect(await stale()).toEqual([]);
    // What caches were told of is lost: they are told once more, and nothing breaks.
    await put('{"refill_hours":4}');
    await env.KV.put(PURGED_CONFIG_KEY, '{"business":7');
    await minute(7);
    expect(await stale()).toEqual(KINDS);
  });
});
