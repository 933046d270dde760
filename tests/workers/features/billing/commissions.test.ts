import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { reconcileSubscriptions } from '../../../../src/services/process-payment-events.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import {
  listCommissions,
  createInvitedUser,
  sendPayout,
  listCommissionAmounts,
} from '../../../support/referrals.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  createMember,
  deliverEvents,
} from '../../../support/memberships.ts';
import { createAccount, type Visitor } from '../../../support/factories.ts';
import { performPayPalAction, pay, refund, reverse } from '../../../support/paypal.ts';

afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

describe('Commissions', () => {
  test('the inviter earns 15 % of each monthly payment, rounded to the nearest cent', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    expect(await listCommissions(inviter)).toEqual([
      { amount_cents: 105, currency: 'USD', status: 'due', at: expect.stringMatching(/^20\d\d-/) },
    ]);
    await shiftUserTime(me, 30 * DAY_MS);
    const { event } = await pay(id);
    // A repeated event and a later reconciliation still count one payment.
    await deliverEvents(event, event);
    await shiftUserTime(me, DAY_MS);
    await reconcileSubscriptions(env, Date.now());
    expect(await listCommissionAmounts(inviter)).toEqual([
      [105, 'due'],
      [105, 'due'],
    ]);
    expect(await listCommissions(me)).toEqual([]);
  });

  test('a changed commission share applies to later payments only', async () => {
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
    const storedPercents = await env.DB.prepare(
      'select percent from commissions where inviter_id = ? order by percent',
    )
      .bind(inviter.id)
      .all();
    expect(storedPercents.results).toEqual([{ percent: 15 }, { percent: 20 }]);
  });

  test('a partial refund lowers the commission and a full refund reverses it', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    await deliverEvents((await refund(id, { value: '3.50' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'due']]);
    await deliverEvents((await refund(id, { value: '3.49' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'reversed']]);
  });

  test('a payment that the bank takes back earns no commission', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    await deliverEvents((await reverse(id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'reversed']]);
    expect((await sendPayout(inviter)).status).toBe(409);
  });

  test('a payment from before the invitation earns nothing, even when it is reported late', async () => {
    const inviter = await createAccount();
    const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const { me, id } = await createMember();
    await shiftUserTime(me, 2 * DAY_MS);
    const latePayment = await pay(id, { at: Date.now() - DAY_MS });
    await me.ask('/api/onboarding', { json: { invite_code: code } });
    await deliverEvents(latePayment.event);
    expect(await listCommissions(inviter)).toEqual([]);
    await deliverEvents((await pay(id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'due']]);
  });

  test('a payment by a user without an inviter earns no commission', async () => {
    const before = await env.DB.prepare('select count(*) as count from commissions').first<number>('count');
    await createMember();
    expect(await env.DB.prepare('select count(*) as count from commissions').first<number>('count')).toBe(
      before,
    );
  });

  test('a user earns nothing from own payments, even with a self-invitation in the database', async () => {
    const me = await createAccount();
    await env.DB.prepare('update users set invited_by = id, invited_at = 1 where id = ?').bind(me.id).run();
    await createMember(me);
    expect(await listCommissions(me)).toEqual([]);
  });

  test("a payment from the inviter's own PayPal account earns no commission", async () => {
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

  test('a user whose inviter deleted the account can become a member', async () => {
    const { inviter, me } = await createInvitedUser();
    await env.DB.prepare('delete from users where id = ?').bind(inviter.id).run();
    await createMember(me);
  });
});

describe('Payments in the account export', () => {
  test('the account export contains payments, refunds, payouts and commissions', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createAgreement(me);
    await me.ask('/api/subscription/activate', { json: { subscription_id: id } });
    await deliverEvents((await refund(id, { value: '2.00' })).event);
    await sendPayout(inviter);
    await performPayPalAction(id, 'cancel');
    const exportAccount = async (visitor: Visitor) =>
      (await visitor.ask<{ account: Record<string, unknown> }>('/api/account/export?format=json')).account;
    expect(await exportAccount(me)).toMatchObject({
      payments: [{ amount_cents: 699, refunded_cents: 200, currency: 'USD', status: 'completed' }],
      refunds: [{ amount_cents: 200 }],
      payouts: [],
      profile: { plan_until: expect.stringMatching(/^20\d\d-/) },
    });
    expect(await exportAccount(inviter)).toMatchObject({
      payouts: [{ amount_cents: 75, currency: 'USD', note: 'Transfer 1' }],
      invites: { commissions: [{ amount_cents: 75, status: 'paid', payout: expect.any(String) }] },
    });
  });
});
