import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { EventReader } from '../../../support/event-reader.ts';
import {
  startTurn,
  startConversation,
  expectBalancedLedger,
  signInGuest,
  getLastMessage,
  listLedger,
  listMessages,
  getPoints,
  postMessage,
  sendMessage,
  createAccount,
  Visitor,
  getWalletStub,
  setPoints,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Moves the last refill further into the past. */
async function backdateRefill(me: Visitor, ms: number): Promise<void> {
  await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
    storage.sql.exec('update balance set refilled_at = refilled_at - ?', ms);
  });
}

describe('Points', () => {
  test('a new guest and a new account have 50 points, explained by a ledger entry', async () => {
    for (const me of [await signInGuest(), await createAccount()]) {
      const status = await getPoints(me);
      expect(status).toMatchObject({
        current_points: 50,
        permanent_points: 0,
        daily_messages_used: 0,
        daily_message_limit: 100,
        message_cost: 1,
        character_cost: 5,
        refill_to: 50,
        refill_hours: 8,
        unlimited: false,
        time_zone: null,
      });
      const now = Date.now();
      expect(Math.abs(Date.parse(status.refills_at) - now - 8 * HOUR_MS)).toBeLessThan(60_000);
      expect(Date.parse(status.daily_resets_at) % DAY_MS).toBe(0);
      expect(Date.parse(status.daily_resets_at)).toBeGreaterThan(now);
      expect(await listLedger(me)).toEqual([
        expect.objectContaining({
          kind: 'opening',
          amount: 50,
          balance_after: 50,
          reason: 'Opening balance',
        }),
      ]);
    }
  });

  test('a reply costs one point, and its ledger entry names the conversation and the reply', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const reply = await getLastMessage(me, id);
    expect((await listLedger(me))[0]).toMatchObject({
      kind: 'message',
      amount: -1,
      balance_after: 49,
      conversation_id: id,
      message_id: reply.id,
      reason: 'A reply was written',
    });
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await expectBalancedLedger(me);
  });

  test('points reserved by a reply cannot be spent, and are booked when the reply ends', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const slow = createScene('gate n=1');
    const reader = await startTurn(me, id, slow.marker);
    await slow.reached();
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    expect(await listLedger(me)).toHaveLength(1);
    await slow.open();
    await reader.readRest();
    expect(await listLedger(me)).toHaveLength(2);
    await expectBalancedLedger(me);
  });

  test('points are refilled once after eight hours and not a minute earlier', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    await sendMessage(me, id);
    await backdateRefill(me, 8 * HOUR_MS - 60_000);
    expect(await getPoints(me)).toMatchObject({ current_points: 48 });
    await backdateRefill(me, 60_000);
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    const refills = (await listLedger(me)).filter((entry) => entry.kind === 'refill');
    expect(refills).toEqual([
      expect.objectContaining({ amount: 2, balance_after: 50, reason: 'Points refilled' }),
    ]);
    await expectBalancedLedger(me);
  });

  test('points do not accumulate while the user is away for a week', async () => {
    const me = await signInGuest();
    await getPoints(me);
    await backdateRefill(me, 7 * DAY_MS + HOUR_MS);
    const status = await getPoints(me);
    expect(status.current_points).toBe(50);
    expect(Date.parse(status.refills_at)).toBeGreaterThan(Date.now());
    expect(Date.parse(status.refills_at)).toBeLessThanOrEqual(Date.now() + 8 * HOUR_MS);
    expect(await listLedger(me)).toHaveLength(1);
  });

  test('a refill during a reply does not stop the reply from being charged', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const slow = createScene('gate n=1');
    const reader = await startTurn(me, id, slow.marker);
    await slow.reached();
    await backdateRefill(me, 8 * HOUR_MS);
    await slow.open();
    await reader.readRest();
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 2 });
    await expectBalancedLedger(me);
  });

  test('permanent points are spent after the current ones', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await setPoints(me, 1);
    await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
      storage.sql.exec('update balance set permanent = 1');
      storage.sql.exec("update ledger set amount = 2, balance_after = 2 where kind = 'opening'");
    });
    await sendMessage(me, id);
    expect(await getPoints(me)).toMatchObject({ current_points: 0, permanent_points: 1 });
    await sendMessage(me, id);
    expect(await getPoints(me)).toMatchObject({ current_points: 0, permanent_points: 0 });
    expect((await postMessage(me, id, 'One more?')).status).toBe(402);
    await expectBalancedLedger(me);
  });

  test('a message without enough points is refused with the balance and the next refill', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await setPoints(me, 0);
    const answer = await postMessage(me, id, 'Hello?');
    expect(answer.status).toBe(402);
    const status = await getPoints(me);
    expect(await answer.json()).toEqual({
      error: 'You do not have enough points for this message.',
      code: 'points_exhausted',
      points: status,
      points_required: 1,
      refills_at: status.refills_at,
      daily_resets_at: status.daily_resets_at,
    });
    expect(await listMessages(me, id)).toHaveLength(1);
  });

  test('a user can send a hundred messages a day, and the next one is refused until tomorrow', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await getPoints(me);
    await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
      storage.sql.exec('update balance set daily_used = 99');
    });
    await sendMessage(me, id);
    const refused = await postMessage(me, id, 'The 101st.');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      code: 'daily_limit_reached',
      points: { daily_messages_used: 100, daily_message_limit: 100 },
    });
    const wait = Number(refused.headers.get('retry-after')) * 1000;
    expect(Math.abs(Date.now() + wait - Date.parse((await getPoints(me)).daily_resets_at))).toBeLessThan(
      3000,
    );
    expect(await listMessages(me, id)).toHaveLength(3);
    await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
      storage.sql.exec('update balance set day = day - 1');
    });
    expect(await getPoints(me)).toMatchObject({ daily_messages_used: 0 });
    await EventReader.fromResponse(await postMessage(me, id, 'Tomorrow.'));
  });

  test('the ledger is read in pages without gaps or repeats', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (let index = 0; index < 6; index += 1) await sendMessage(me, id, createScene('tokens n=1').marker);
    const whole = await listLedger(me);
    expect(whole).toHaveLength(7);
    for (const limit of [1, 2, 3, 7]) expect(await listLedger(me, limit)).toEqual(whole);
    expect(new Set(whole.map((entry) => entry.id)).size).toBe(7);
  });

  test('points can only be read with a session', async () => {
    const anonymous = new Visitor();
    for (const path of ['/api/points', '/api/points/ledger', '/api/points/history']) {
      expect(await anonymous.ask(path, { status: 401 })).toEqual({
        error: 'You must be logged in to perform this action',
        code: 'unauthenticated',
      });
    }
  });
});
