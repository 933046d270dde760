import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import type { RuntimeConfigOverrides } from '../../../../src/features/runtime-config/contract.ts';
import type { PointsStatus } from '../../../../src/features/wallet/contract.ts';
import {
  startConversation,
  expectBalancedLedger,
  signInGuest,
  listLedger,
  getPoints,
  postMessage,
  sendMessage,
  createAccount,
  type Visitor,
  getWalletStub,
  setPoints,
} from '../../../support/factories.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FREE = { unlimited: false, timeZone: null };
const MEMBER = { unlimited: true, timeZone: null };

/** Sets the number of messages that a user has sent today. */
async function setMessagesSent(me: Visitor, messages: number): Promise<void> {
  await getPoints(me);
  await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
    storage.sql.exec('update balance set daily_used = ?', messages);
  });
}

/** Sets the plan as the operator would. */
async function setPlan(me: Visitor, plan: 'free' | 'storyteller'): Promise<void> {
  await env.DB.prepare('update users set plan = ? where id = ?').bind(plan, me.id).run();
}

/** Reads the points as a browser in that time zone would. */
const getPointsIn = (me: Visitor, timeZone: string): Promise<PointsStatus> =>
  me.ask<PointsStatus>('/api/points', { headers: { 'x-time-zone': timeZone } });

describe('Wallet', () => {
  test('two hundred simultaneous replies reserve exactly the available points', async () => {
    const me = await signInGuest();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    const turns = Array.from({ length: 200 }, (_, index) => `turn-${index}`);
    const results = await Promise.all(turns.map((id) => wallet.reserve(id, 'chat', FREE)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(50);
    const refused = results.flatMap((result) => (result.ok ? [] : [result.code]));
    expect(new Set(refused)).toEqual(new Set(['points_exhausted']));
    expect(await getPoints(me)).toMatchObject({ current_points: 0, daily_messages_used: 50 });
    // Half of them fail; all ends arrive late and twice.
    const endReply = (id: string, index: number) =>
      index % 2 === 0 ? wallet.settle(id, null, 'reply') : wallet.release(id, 'chat', null, 'reply');
    await Promise.all([...turns, ...turns].map((id) => endReply(id, turns.indexOf(id))));
    const spent = results.filter(({ ok }, index) => ok && index % 2 === 0).length;
    expect(await getPoints(me)).toMatchObject({ current_points: 50 - spent, daily_messages_used: spent });
    const entries = await listLedger(me);
    expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(spent);
    expect(entries.filter(({ kind }) => kind === 'message_free')).toHaveLength(50 - spent);
    await expectBalancedLedger(me);
  });

  test('a hundred simultaneous requests for the same reply reserve one point', async () => {
    const me = await signInGuest();
    const wallet = getWalletStub(me.id);
    const results = await Promise.all(
      Array.from({ length: 100 }, () => wallet.reserve('turn-again', 'chat', FREE)),
    );
    expect(results.filter((result) => result.ok && !result.again)).toHaveLength(1);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await wallet.settle('turn-again', null, 'reply');
    expect(await wallet.reserve('turn-again', 'chat', FREE)).toMatchObject({ code: 'reservation_closed' });
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
  });

  test('points reserved for a lost reply are released after an hour and not a minute earlier', async () => {
    const me = await signInGuest();
    const wallet = getWalletStub(me.id);
    await wallet.reserve('turn-lost', 'chat', FREE);
    const earlier = (ms: number) =>
      runInDurableObject(wallet, (_, { storage }) => {
        storage.sql.exec(
          `update balance set held =
             (select json_group_array(json_set(value, '$.at', (value ->> 'at') - ?)) from json_each(held))`,
          ms,
        );
      });
    await earlier(HOUR_MS - 60_000);
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await earlier(60_001);
    expect(await getPoints(me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await wallet.settle('turn-lost', null, 'reply');
    expect(await listLedger(me)).toHaveLength(1);
  });
});

describe('Ledger events', () => {
  test('every ledger entry names its event, and an event is booked once', async () => {
    const me = await signInGuest();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    for (const times of [1, 2]) {
      await wallet.reserve('turn-told', 'chat', FREE);
      await wallet.settle('turn-told', 'reply-1', 'reply');
      await wallet.reserve('turn-lost', 'chat', FREE);
      await wallet.release('turn-lost', 'chat', null, 'reply');
      await wallet.grant('invite:somebody', { kind: 'invite' });
      await wallet.payForCharacter('character-told');
      expect(await listLedger(me)).toHaveLength(5 + (times - 1));
      await wallet.refundCharacter('character-told');
    }
    expect((await listLedger(me)).map(({ kind, event_id: event }) => [kind, event])).toEqual([
      ['character_refund', 'character-told'],
      ['character', 'character-told'],
      ['invite', 'invite:somebody'],
      ['message_free', 'turn-lost'],
      ['message', 'turn-told'],
      ['opening', 'opening'],
    ]);
    await expectBalancedLedger(me);
  });

  test('a refill’s ledger entry names the time at which it was due', async () => {
    const me = await signInGuest();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    await wallet.reserve('turn-before', 'chat', FREE);
    await wallet.settle('turn-before', null, 'reply');
    const filledAt = await runInDurableObject(wallet, (_, { storage }) => {
      storage.sql.exec('update balance set refilled_at = refilled_at - ?', 9 * HOUR_MS);
      return storage.sql.exec<{ at: number }>('select refilled_at as at from balance').one().at;
    });
    await getPoints(me);
    await getPoints(me);
    expect((await listLedger(me)).filter(({ kind }) => kind === 'refill')).toMatchObject([
      { amount: 1, event_id: `refill:${new Date(filledAt + 8 * HOUR_MS).toISOString()}` },
    ]);
  });
});

describe('Membership and points', () => {
  test('a member’s messages cost no points, have no limit and are listed in the ledger as covered', async () => {
    const me = await createAccount();
    const chat = await startConversation(me);
    await setPlan(me, 'storyteller');
    await setPoints(me, 0);
    await setMessagesSent(me, 500);
    expect(await getPoints(me)).toMatchObject({
      unlimited: true,
      message_cost: 0,
      daily_message_limit: null,
      current_points: 0,
    });
    await sendMessage(me, chat);
    expect(await getPoints(me)).toMatchObject({ daily_messages_used: 500 });
    expect((await listLedger(me))[0]).toMatchObject({
      kind: 'message_covered',
      amount: 0,
      balance_after: 0,
      conversation_id: chat,
      reason: 'A reply was written: the membership covers it',
    });
    await expectBalancedLedger(me);
  });

  test('the free plan’s terms apply from the next message after a membership', async () => {
    const me = await createAccount();
    const chat = await startConversation(me);
    await setPlan(me, 'storyteller');
    await setPoints(me, 0);
    await sendMessage(me, chat);
    await setPlan(me, 'free');
    expect((await postMessage(me, chat, 'And now?')).status).toBe(402);
    expect(await getPoints(me)).toMatchObject({
      unlimited: false,
      message_cost: 1,
      daily_message_limit: 100,
    });
  });

  test('messages covered by a membership do not count against the free plan’s daily limit', async () => {
    const me = await signInGuest();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    await wallet.reserve('turn-written', 'chat', MEMBER);
    await wallet.settle('turn-written', null, 'reply');
    await wallet.reserve('turn-being-written', 'chat', MEMBER);
    expect(await wallet.getStatus(FREE)).toMatchObject({ daily_messages_used: 0, daily_message_limit: 100 });
    await wallet.reserve('turn-after', 'chat', FREE);
    expect(await wallet.getStatus(FREE)).toMatchObject({ daily_messages_used: 1 });
  });

  test('a reply costs what its plan at the start says, whatever the plan is at its end', async () => {
    const me = await signInGuest();
    const wallet = getWalletStub(me.id);
    await wallet.reserve('turn-free', 'chat', FREE);
    await wallet.reserve('turn-covered', 'chat', MEMBER);
    await wallet.settle('turn-free', null, 'reply');
    await wallet.getStatus(FREE);
    await wallet.settle('turn-covered', null, 'reply');
    expect((await listLedger(me)).slice(0, 2)).toMatchObject([
      { kind: 'message_covered', amount: 0 },
      { kind: 'message', amount: -1 },
    ]);
    await expectBalancedLedger(me);
  });
});

describe('Day of the user', () => {
  test('a user’s day ends at midnight in the user’s time zone', async () => {
    const me = await signInGuest();
    const status = await getPointsIn(me, 'Pacific/Kiritimati');
    expect(status.time_zone).toBe('Pacific/Kiritimati');
    const resets = Date.parse(status.daily_resets_at);
    expect((resets + 14 * HOUR_MS) % DAY_MS).toBe(0);
    expect(resets).toBeGreaterThan(Date.now());
    expect(resets).toBeLessThanOrEqual(Date.now() + DAY_MS);
    // A call without a time zone, or with an unknown one, changes nothing.
    expect(await getPoints(me)).toMatchObject({ daily_resets_at: status.daily_resets_at });
    for (const unknown of ['Mars/Olympus', '+05:00', 'x'.repeat(300)])
      expect(await getPointsIn(me, unknown)).toMatchObject({ time_zone: 'Pacific/Kiritimati' });
  });

  test('travelling west does not give a user the same day’s messages again', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    const { daily_resets_at: before } = await getPointsIn(me, 'Pacific/Kiritimati');
    await setMessagesSent(me, 100);
    const west = await getPointsIn(me, 'Pacific/Pago_Pago');
    expect(west).toMatchObject({ daily_messages_used: 100, time_zone: 'Pacific/Pago_Pago' });
    // The same date ends 25 hours later there.
    expect(Date.parse(west.daily_resets_at) - Date.parse(before)).toBe(25 * HOUR_MS);
    const refused = await me.call(`/api/conversations/${chat}/messages`, {
      json: { content: 'Still today?', client_message_id: 'turn-of-the-traveller' },
      headers: { 'x-time-zone': 'Pacific/Pago_Pago' },
    });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      code: 'daily_limit_reached',
      daily_resets_at: west.daily_resets_at,
      points_required: 1,
    });
    expect(await getPointsIn(me, 'Pacific/Kiritimati')).toMatchObject({ daily_messages_used: 100 });
  });
});

describe('Changed costs', () => {
  const changedUsers: Visitor[] = [];

  /** Writes the operator’s settings and clears every cache of them. */
  async function applyConfig(me: Visitor, change: RuntimeConfigOverrides): Promise<void> {
    changedUsers.push(me);
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify(change));
    clearRuntimeConfigCache(env);
    await runInDurableObject(getWalletStub(me.id), (wallet) =>
      clearRuntimeConfigCache((wallet as unknown as { env: Env }).env),
    );
  }

  // The settings are shared, so other tests begin with the defaults again.
  afterEach(async () => {
    for (const me of changedUsers.splice(0)) await applyConfig(me, {});
    changedUsers.length = 0;
    await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  });

  test('changed costs apply to new replies, and a running reply keeps its old cost', async () => {
    const me = await createAccount();
    const wallet = getWalletStub(me.id);
    await getPoints(me);
    await wallet.reserve('turn-before', 'chat', FREE);
    await applyConfig(me, {
      message_cost_points: 3,
      daily_message_limit: 7,
      character_cost_points: 60,
      invite_points: 4,
      refill_to_points: 20,
      refill_hours: 2,
    });
    const status = await getPoints(me);
    expect(status).toMatchObject({
      message_cost: 3,
      daily_message_limit: 7,
      character_cost: 60,
      refill_to: 20,
      refill_hours: 2,
    });
    expect(Date.parse(status.refills_at)).toBeLessThanOrEqual(Date.now() + 2 * HOUR_MS);
    await wallet.settle('turn-before', null, 'reply');
    await wallet.reserve('turn-after', 'chat', FREE);
    await wallet.settle('turn-after', null, 'reply');
    await wallet.grant('gift-after', { kind: 'invite' });
    expect(await getPoints(me)).toMatchObject({ current_points: 46, permanent_points: 4 });
    expect(await me.ask('/api/points/check-availability', { json: { action: 'create_character' } })).toEqual({
      success: false,
      error: 'You need at least 60 points to create a character...',
      points_required: 60,
    });
    await expectBalancedLedger(me);
    await applyConfig(me, { character_cost_points: 8 });
    expect(await wallet.payForCharacter('character-1')).toEqual({ ok: true });
    await applyConfig(me, { character_cost_points: 2 });
    await wallet.refundCharacter('character-1');
    expect((await listLedger(me)).slice(0, 2).map(({ amount }) => amount)).toEqual([8, -8]);
    await expectBalancedLedger(me);
  });

  test('messages can be free and unlimited', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    await setPoints(me, 0);
    await setMessagesSent(me, 1000);
    await applyConfig(me, { message_cost_points: 0, daily_message_limit: null });
    await sendMessage(me, chat);
    expect((await listLedger(me))[0]).toMatchObject({ kind: 'message', amount: 0, balance_after: 0 });
    expect(await getPoints(me)).toMatchObject({
      message_cost: 0,
      daily_message_limit: null,
      unlimited: false,
    });
  });
});
