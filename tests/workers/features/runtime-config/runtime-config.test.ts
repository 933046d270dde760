import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { purgeOnConfigChange, PURGED_CONFIG_KEY } from '../../../../src/services/purge-on-config-change.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { cachePurgeQueue } from '../../../../src/db/schema/character.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import type { RuntimeConfigView } from '../../../../src/features/runtime-config/contract.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
  readRuntimeConfig,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import type { Invites } from '../../../../src/features/account/invite-contract.ts';
import type { PersonaList } from '../../../../src/features/persona/contract.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { signInGuest, getPoints, createAccount, Visitor } from '../../../support/factories.ts';

const db = openDatabase(env.DB);
const MINUTE_MS = 60_000;

/** Restores the default configuration, for this file and for tests that run at the same time. */
async function restoreConfig(): Promise<void> {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  await env.KV.delete(PURGED_CONFIG_KEY);
  clearRuntimeConfigCache(env);
}
beforeEach(restoreConfig);
afterEach(async () => {
  vi.useRealTimers();
  await restoreConfig();
});

/** Creates a staff user. */
async function createAdmin(): Promise<Visitor> {
  const me = await createAccount();
  return new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
}
const readConfig = (me: Visitor) => me.ask<RuntimeConfigView>('/api/admin/business');
const changeConfig = (me: Visitor, json: object) =>
  me.ask<RuntimeConfigView>('/api/admin/business', { method: 'PUT', json });
const expectRefusedChange = (me: Visitor, json: unknown, status = 400) =>
  me.ask<{ code: string; fields?: Record<string, string[]> }>('/api/admin/business', {
    method: 'PUT',
    json,
    status,
  });
/** Writes the stored configuration directly, as an operator does by hand. */
const putConfigText = (text: string) => env.KV.put(RUNTIME_CONFIG_KV_KEY, text);

describe('Business configuration', () => {
  test('only staff can read or change the configuration: other users get 404 and no validation details', async () => {
    const me = await createAccount();
    const visitors = [me, await signInGuest(), new Visitor()];
    const listStatuses = async (options: object) =>
      Promise.all(visitors.map(async (one) => (await one.call('/api/admin/business', options)).status));
    expect(await listStatuses({})).toEqual([404, 404, 401]);
    expect(await listStatuses({ method: 'PUT', json: { invite_points: 90 } })).toEqual([404, 404, 401]);
    // The answer does not reveal the expected fields.
    expect(await expectRefusedChange(me, { nonsense: 1 }, 404)).toMatchObject({ code: 'not_found' });
    expect(await env.KV.get(RUNTIME_CONFIG_KV_KEY)).toBeNull();
  });

  test('the configuration starts with the defaults, and a change takes effect at once', async () => {
    const operator = await createAdmin();
    expect(await readConfig(operator)).toEqual({
      business: RUNTIME_CONFIG_DEFAULTS,
      defaults: RUNTIME_CONFIG_DEFAULTS,
      changed: [],
      not_understood: [],
    });
    const [me, inviter] = [await signInGuest(), await createAccount()];
    expect(await me.ask<PersonaList>('/api/personas')).toMatchObject({ limit: 5, member_limit: 500 });

    const change = { personas_free: 2, personas_storyteller: 50, invite_points: 25, commission_percent: 20 };
    expect(await changeConfig(operator, change)).toMatchObject({
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

  test('configuration changes accumulate, and null restores a default', async () => {
    const operator = await createAdmin();
    await changeConfig(operator, { invite_points: 25 });
    await changeConfig(operator, { daily_message_limit: null });
    const after = await changeConfig(operator, { invite_points: null });
    expect(after).toMatchObject({
      business: { ...RUNTIME_CONFIG_DEFAULTS, daily_message_limit: null },
      changed: ['daily_message_limit'],
    });
    expect(await readConfig(operator)).toEqual(after);
    expect(JSON.parse((await env.KV.get(RUNTIME_CONFIG_KV_KEY)) as string)).toEqual({
      daily_message_limit: null,
    });
  });

  test('an invalid configuration change names the wrong fields and changes nothing', async () => {
    const operator = await createAdmin();
    expect(
      await expectRefusedChange(operator, { invite_points: -1, refill_hours: 4, unheard_of: 1 }),
    ).toEqual({
      code: 'invalid_input',
      error: expect.any(String),
      fields: { invite_points: [expect.any(String)], unheard_of: ['Unknown field'] },
    });
    expect(await expectRefusedChange(operator, { personas_free: 600 })).toMatchObject({
      code: 'invalid_input',
      fields: { personas_storyteller: [expect.any(String)] },
    });
    expect(await expectRefusedChange(operator, {})).toMatchObject({ code: 'invalid_input' });
    expect(await env.KV.get(RUNTIME_CONFIG_KV_KEY)).toBeNull();
    expect(await readConfig(operator)).toMatchObject({ changed: [] });
  });

  test('a configuration put into KV by hand takes effect within a minute', async () => {
    const me = await createAccount();
    const readInvitePoints = async () => (await me.ask<Invites>('/api/invites')).invite_points;
    expect(await readInvitePoints()).toBe(10);
    await putConfigText('{"invite_points":30}');
    expect(await readInvitePoints()).toBe(10);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE_MS / 2 });
    expect(await readInvitePoints()).toBe(30);
  });

  test.each([
    ['broken JSON', '{"invite_points":30', ['_']],
    ['a list', '[{"invite_points":30}]', ['_']],
    ['nothing but wrong values', '{"invite_points":"30","refill_hours":0,"nobody":1}', undefined],
    ['a nested text', JSON.stringify({ invite_points: { $gt: 0 } }), ['invite_points']],
  ])('the product keeps the defaults when the configuration in KV is %s', async (_, text, names) => {
    await putConfigText(text);
    const me = await createAccount();
    expect(await me.ask<Invites>('/api/invites')).toMatchObject({ invite_points: 10 });
    expect(await me.ask<PersonaList>('/api/personas')).toMatchObject({ limit: 5 });
    expect(await getPoints(me)).toMatchObject({ current_points: 50, message_cost: 1 });
    const operator = await createAdmin();
    expect(await readConfig(operator)).toMatchObject({
      business: RUNTIME_CONFIG_DEFAULTS,
      changed: [],
      not_understood: names ?? ['invite_points', 'refill_hours', 'nobody'],
    });
    // The next valid change repairs the stored configuration.
    expect(await changeConfig(operator, { refill_hours: 4 })).toMatchObject({
      business: { refill_hours: 4 },
      not_understood: [],
    });
  });

  test('a configuration change stays in force on this instance while KV still returns the old configuration', async () => {
    const operator = await createAdmin();
    const slow = {
      held: await env.KV.get(RUNTIME_CONFIG_KV_KEY),
      get: async () => slow.held,
      put: async () => undefined,
    };
    const elsewhere = { KV: slow as unknown as KVNamespace };
    const me = new ConfiguredVisitor({ ADMIN_EMAILS: operator.email, ...elsewhere }, operator);
    await changeConfig(me, { invite_points: 25 });
    expect(await changeConfig(me, { refill_hours: 4 })).toMatchObject({
      changed: ['refill_hours', 'invite_points'],
    });
    expect(await readConfig(me)).toMatchObject({ business: { invite_points: 25, refill_hours: 4 } });
    expect(await readRuntimeConfig(elsewhere)).toMatchObject({ invite_points: 25 });
    // KV now returns a newer change, which replaces the local one.
    slow.held = '{"invite_points":26}';
    expect(await readRuntimeConfig(elsewhere, Date.now() + MINUTE_MS)).toMatchObject({ invite_points: 26 });
  });

  test('a configuration change logs who changed which value from what to what', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const operator = await createAdmin();
    await changeConfig(operator, { refill_hours: 4, daily_message_limit: null });
    const lines = log.mock.calls.flat().filter((line) => String(line).includes('runtime_config_changed'));
    log.mockRestore();
    expect(lines.map((line) => JSON.parse(line as string))).toEqual([
      {
        event: 'runtime_config_changed',
        level: 'info',
        request_id: expect.any(String),
        admin_id: operator.id,
        before: { refill_hours: 8, daily_message_limit: 100 },
        after: { refill_hours: 4, daily_message_limit: null },
      },
    ]);
  });
});

describe('Purging of public pages with prices', () => {
  const KINDS = ['blog', 'character', 'creator', 'home', 'list'];
  /** Returns the page kinds that are marked for purging and removes the marks. */
  async function takeStaleKinds(): Promise<string[]> {
    const rows = await db.select({ tag: cachePurgeQueue.tag }).from(cachePurgeQueue);
    await db
      .delete(cachePurgeQueue)
      .where(sql`tag in (select value from json_each(${JSON.stringify(KINDS)}))`);
    return rows
      .map(({ tag }) => tag)
      .filter((tag) => KINDS.includes(tag))
      .toSorted();
  }
  beforeEach(takeStaleKinds);
  const start = Date.UTC(2100, 0, 1);
  const runMinute = (count: number) => purgeOnConfigChange(env, db, start + count * MINUTE_MS);

  test('changing a configuration value marks the public pages for purging', async () => {
    const operator = await createAdmin();
    await changeConfig(operator, { refill_hours: 4 });
    expect(await takeStaleKinds()).toEqual(KINDS);
    await expectRefusedChange(operator, { refill_hours: 0 });
    expect(await takeStaleKinds()).toEqual([]);
  });

  test('a configuration change by hand marks the pages at once and again after it has spread to all regions', async () => {
    await runMinute(0);
    expect(await takeStaleKinds()).toEqual([]);
    await putConfigText('{"refill_hours":4}');
    const purgedMinutes: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      await runMinute(count);
      if ((await takeStaleKinds()).length > 0) purgedMinutes.push(count);
    }
    expect(purgedMinutes).toEqual([1, 3]);
  });

  test('a second configuration change while the first one spreads marks the pages again', async () => {
    await putConfigText('{"refill_hours":4}');
    await runMinute(0);
    await putConfigText('{"refill_hours":5}');
    await takeStaleKinds();
    const purgedMinutes: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      if (count === 6) await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
      await runMinute(count);
      if ((await takeStaleKinds()).length > 0) purgedMinutes.push(count);
    }
    expect(purgedMinutes).toEqual([1, 3, 6, 8]);
  });

  test('a configuration change without effect or an unreadable one marks no pages', async () => {
    await putConfigText(JSON.stringify({ refill_hours: RUNTIME_CONFIG_DEFAULTS.refill_hours }));
    await runMinute(0);
    await runMinute(5);
    await takeStaleKinds();
    await putConfigText('{broken');
    await runMinute(6);
    expect(await takeStaleKinds()).toEqual([]);
    // The record of the last purge is unreadable, so the pages are purged once more.
    await putConfigText('{"refill_hours":4}');
    await env.KV.put(PURGED_CONFIG_KEY, '{"business":7');
    await runMinute(7);
    expect(await takeStaleKinds()).toEqual(KINDS);
  });
});
