import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { reconcileSubscriptions } from '../../src/services/process-payment-events.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import {
  listCommissions,
  createInvitedUser,
  sendPayout,
  listCommissionAmounts,
} from '../support/referrals.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  createMember,
  deliverEvents,
} from '../support/memberships.ts';
import { createAccount, type Visitor } from '../support/factories.ts';
import { performPayPalAction, pay, refund, reverse } from '../support/paypal.ts';

afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

describe('When somebody whom I invited pays', () => {
  test('I am owed 15 % of it to the nearest cent, each month anew', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    expect(await listCommissions(inviter)).toEqual([
      { amount_cents: 105, currency: 'USD', status: 'due', at: expect.stringMatching(/^20\d\d-/) },
    ]);
    await shiftUserTime(me, 30 * DAY_MS);
    const { event } = await pay(id);
    // Told of twice, and found out once more by asking, it is one payment.
    await deliverEvents(event, event);
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await listCommissionAmounts(inviter)).toEqual([
      [105, 'due'],
      [105, 'due'],
    ]);
    expect(await listCommissions(me)).toEqual([]);
  });

  test('the share is what the operator says at that time, and stays so for what was paid', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify({ commission_percent: 20 }));
    clearRuntimeConfigCache(env);
    await deliverEvents((await refund(id, { value: '2.99' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[60, 'due']]);
    await shiftUserTime(me, 30 * DAY_MS);
    await deliverEvents((await pay(id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([
      [140, 'due'],
      [60, 'due'],
    ]);
    const kept = await env.DB.prepare('select percent from commissions where inviter_id = ? order by percent')
      .bind(inviter.id)
      .all();
    expect(kept.results).toEqual([{ percent: 15 }, { percent: 20 }]);
  });

  test('and gets some of it back, I am owed a share of the rest; of all of it, nothing', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    await deliverEvents((await refund(id, { value: '3.50' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'due']]);
    await deliverEvents((await refund(id, { value: '3.49' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'reversed']]);
  });

  test('and their bank takes it back, nothing is due of it any more', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    await deliverEvents((await reverse(id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'reversed']]);
    expect((await sendPayout(inviter)).status).toBe(409);
  });

  test('before they took my invitation, I am owed nothing of it, however late it is told', async () => {
    const inviter = await createAccount();
    const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const { me, id } = await createMember();
    await shiftUserTime(me, 2 * DAY_MS);
    const late = await pay(id, { at: Date.now() - DAY_MS });
    await me.ask('/api/onboarding', { json: { invite_code: code } });
    await deliverEvents(late.event);
    expect(await listCommissions(inviter)).toEqual([]);
    await deliverEvents((await pay(id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'due']]);
  });

  test('and nobody invited them, nobody is owed anything', async () => {
    const before = await env.DB.prepare('select count(*) as count from commissions').first<number>('count');
    await createMember();
    expect(await env.DB.prepare('select count(*) as count from commissions').first<number>('count')).toBe(
      before,
    );
  });

  test('I am owed nothing of my own payments, even where the books say that I invited myself', async () => {
    const me = await createAccount();
    await env.DB.prepare('update users set invited_by = id, invited_at = 1 where id = ?').bind(me.id).run();
    await createMember(me);
    expect(await listCommissions(me)).toEqual([]);
  });

  test('and the money comes from my own account at PayPal, I am owed nothing', async () => {
    const { inviter, me } = await createInvitedUser();
    const payer = { payer_id: 'ONEANDTHESAME' };
    const { id: mine } = await createAgreement(inviter, payer);
    expect((await activateSubscription(inviter, mine)).status).toBe(200);
    const { id } = await createAgreement(me, payer);
    expect((await activateSubscription(me, id)).status).toBe(200);
    expect(await listCommissions(inviter)).toEqual([]);
    await deliverEvents((await pay(id)).event);
    expect(await listCommissions(inviter)).toEqual([]);
  });

  test('and I am gone, they are a member all the same', async () => {
    const { inviter, me } = await createInvitedUser();
    await env.DB.prepare('delete from users where id = ?').bind(inviter.id).run();
    await createMember(me);
  });
});

describe('Money in my download', () => {
  test('is what I paid, what came back, and what I earned', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createAgreement(me);
    await me.ask('/api/subscription/activate', { json: { subscription_id: id } });
    await deliverEvents((await refund(id, { value: '2.00' })).event);
    await sendPayout(inviter);
    await performPayPalAction(id, 'cancel');
    const account = async (whose: Visitor) =>
      (await whose.ask<{ account: Record<string, unknown> }>('/api/account/export?format=json')).account;
    expect(await account(me)).toMatchObject({
      payments: [{ amount_cents: 699, refunded_cents: 200, currency: 'USD', status: 'completed' }],
      refunds: [{ amount_cents: 200 }],
      payouts: [],
      profile: { plan_until: expect.stringMatching(/^20\d\d-/) },
    });
    expect(await account(inviter)).toMatchObject({
      payouts: [{ amount_cents: 75, currency: 'USD', note: 'Transfer 1' }],
      invites: { commissions: [{ amount_cents: 75, status: 'paid', payout: expect.any(String) }] },
    });
  });
});
