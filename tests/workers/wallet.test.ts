import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import type { RuntimeConfigOverrides } from '../../src/features/runtime-config/contract.ts';
import type { PointsStatus } from '../../src/features/wallet/contract.ts';
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
} from '../support/factories.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FREE = { unlimited: false, timeZone: null };
const MEMBER = { unlimited: true, timeZone: null };

/** Has somebody's day so far be one of so many messages. */
async function alreadySent(me: Visitor, messages: number): Promise<void> {
  await getPoints(me);
  await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
    storage.sql.exec('update balance set daily_used = ?', messages);
  });
}

/** The plan as an operator gives it. */
async function onPlan(me: Visitor, plan: 'free' | 'storyteller'): Promise<void> {
  await env.DB.prepare('update users set plan = ? where id = ?').bind(plan, me.id).run();
}

/** One's points as a browser in that time zone asks for them. */
const pointsIn = (me: Visitor, timeZone: string): Promise<PointsStatus> =>
  me.ask<PointsStatus>('/api/points', { headers: { 'x-time-zone': timeZone } });

describe('At my wallet', () => {
  test('two hundred replies that begin at once hold exactly the points that are there', async () => {
    const me = await signInGuest();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    const turns = Array.from({ length: 200 }, (_, index) => `turn-${index}`);
    const results = await Promise.all(turns.map((id) => wallet.reserve(id, 'chat', FREE)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(50);
    const refused = results.flatMap((result) => (result.ok ? [] : [result.code]));
    expect(new Set(refused)).toEqual(new Set(['points_exhausted']));
    expect(await getPoints(me)).toMatchObject({ current_points: 0, daily_messages_used: 50 });
    // Half of them fail; all are told of twice, and late.
    const ends = (id: string, index: number) =>
      index % 2 === 0 ? wallet.settle(id, null, 'reply') : wallet.release(id, 'chat', null, 'reply');
    await Promise.all([...turns, ...turns].map((id) => ends(id, turns.indexOf(id))));
    const spent = results.filter(({ ok }, index) => ok && index % 2 === 0).length;
    expect(await getPoints(me)).toMatchObject({ current_points: 50 - spent, daily_messages_used: spent });
    const entries = await listLedger(me);
    expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(spent);
    expect(entries.filter(({ kind }) => kind === 'message_free')).toHaveLength(50 - spent);
    await expectBalancedLedger(me);
  });

  test('the same reply asked for a hundred times at once holds one point', async () => {
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

  test('points of a reply that nobody ends are mine again after an hour, and not a minute sooner', async () => {
    const me = await signInGuest();
    const wallet = getWalletStub(me.id);
    await wallet.reserve('turn-lost', 'chat', FREE);
    const earlier = (ms: number) =>
      runInDurableObject(wallet, (_, { storage }) => {
        storage.sql.exec('update reservations set at = at - ?', ms);
      });
    await earlier(HOUR_MS - 60_000);
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await earlier(60_001);
    expect(await getPoints(me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
    await wallet.settle('turn-lost', null, 'reply');
    expect(await listLedger(me)).toHaveLength(1);
  });
});

describe('Every change of my points', () => {
  test('names what it came from, so that I can see that nothing was counted twice', async () => {
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

  test('that time brings names the moment at which it was due', async () => {
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

describe('As a member', () => {
  test('I write without points and without a limit, and the ledger says what covers it', async () => {
    const me = await createAccount();
    const chat = await startConversation(me);
    await onPlan(me, 'storyteller');
    await setPoints(me, 0);
    await alreadySent(me, 500);
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

  test('I am on the free plan’s terms again from the next message on', async () => {
    const me = await createAccount();
    const chat = await startConversation(me);
    await onPlan(me, 'storyteller');
    await setPoints(me, 0);
    await sendMessage(me, chat);
    await onPlan(me, 'free');
    expect((await postMessage(me, chat, 'And now?')).status).toBe(402);
    expect(await getPoints(me)).toMatchObject({
      unlimited: false,
      message_cost: 1,
      daily_message_limit: 100,
    });
  });

  test('I have all of the free day’s messages when my membership ends at noon', async () => {
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

  test('a reply costs what it was begun for, whatever becomes of my plan meanwhile', async () => {
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

describe('My day', () => {
  test('is the one of my own clock: it ends at my midnight', async () => {
    const me = await signInGuest();
    const status = await pointsIn(me, 'Pacific/Kiritimati');
    expect(status.time_zone).toBe('Pacific/Kiritimati');
    const resets = Date.parse(status.daily_resets_at);
    expect((resets + 14 * HOUR_MS) % DAY_MS).toBe(0);
    expect(resets).toBeGreaterThan(Date.now());
    expect(resets).toBeLessThanOrEqual(Date.now() + DAY_MS);
    // What says nothing of a clock changes nothing; nor does one that nobody has.
    expect(await getPoints(me)).toMatchObject({ daily_resets_at: status.daily_resets_at });
    for (const unknown of ['Mars/Olympus', '+05:00', 'x'.repeat(300)])
      expect(await pointsIn(me, unknown)).toMatchObject({ time_zone: 'Pacific/Kiritimati' });
  });

  test('does not come again because I travel west', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    const { daily_resets_at: before } = await pointsIn(me, 'Pacific/Kiritimati');
    await alreadySent(me, 100);
    const there = await pointsIn(me, 'Pacific/Pago_Pago');
    expect(there).toMatchObject({ daily_messages_used: 100, time_zone: 'Pacific/Pago_Pago' });
    // The same date ends 25 hours later there.
    expect(Date.parse(there.daily_resets_at) - Date.parse(before)).toBe(25 * HOUR_MS);
    const refused = await me.call(`/api/conversations/${chat}/messages`, {
      json: { content: 'Still today?', client_message_id: 'turn-of-the-traveller' },
      headers: { 'x-time-zone': 'Pacific/Pago_Pago' },
    });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      code: 'daily_limit_reached',
      daily_resets_at: there.daily_resets_at,
      points_required: 1,
    });
    expect(await pointsIn(me, 'Pacific/Kiritimati')).toMatchObject({ daily_messages_used: 100 });
  });
});

describe('When the operator changes what things cost', () => {
  const whose: Visitor[] = [];

  /** As an operator writes it by hand; each of the machine's parts reads it anew. */
  async function changed(me: Visitor, change: RuntimeConfigOverrides): Promise<void> {
    whose.push(me);
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify(change));
    clearRuntimeConfigCache(env);
    await runInDurableObject(getWalletStub(me.id), (wallet) =>
      clearRuntimeConfigCache((wallet as unknown as { env: Env }).env),
    );
  }

  // Wallets may know it together: others begin with the usual again.
  afterEach(async () => {
    for (const me of whose.splice(0)) await changed(me, {});
    whose.length = 0;
    await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  });

  test('it is in force for my wallet, and what is being written costs what it did when it began', async () => {
    const me = await createAccount();
    const wallet = getWalletStub(me.id);
    await getPoints(me);
    await wallet.reserve('turn-before', 'chat', FREE);
    await changed(me, {
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
    await changed(me, { character_cost_points: 8 });
    expect(await wallet.payForCharacter('character-1')).toEqual({ ok: true });
    await changed(me, { character_cost_points: 2 });
    await wallet.refundCharacter('character-1');
    expect((await listLedger(me)).slice(0, 2).map(({ amount }) => amount)).toEqual([8, -8]);
    await expectBalancedLedger(me);
  });

  test('messages may cost nothing and have no limit', async () => {
    const me = await signInGuest();
    const chat = await startConversation(me);
    await setPoints(me, 0);
    await alreadySent(me, 1000);
    await changed(me, { message_cost_points: 0, daily_message_limit: null });
    await sendMessage(me, chat);
    expect((await listLedger(me))[0]).toMatchObject({ kind: 'message', amount: 0, balance_after: 0 });
    expect(await getPoints(me)).toMatchObject({
      message_cost: 0,
      daily_message_limit: null,
      unlimited: false,
    });
  });
});
