import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { reconcile } from '../../src/services/process-payment-events.ts';
import { BUSINESS_KEY, forgetBusiness } from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { commissionsOf, invited, payOut, sums } from '../support/inviters.ts';
import { activate, agreed, DAY_MS, later, member, told } from '../support/members.ts';
import { signedIn, type Visitor } from '../support/makers.ts';
import { happensAtPayPal, pay, refund, reverse } from '../support/paypal.ts';

afterEach(async () => {
  await env.KV.delete(BUSINESS_KEY);
  forgetBusiness(env);
});

describe('When somebody whom I invited pays', () => {
  test('I am owed 15 % of it to the nearest cent, each month anew', async () => {
    const { inviter, me } = await invited();
    const { id } = await member(me);
    expect(await commissionsOf(inviter)).toEqual([
      { amount_cents: 105, currency: 'USD', status: 'due', at: expect.stringMatching(/^20\d\d-/) },
    ]);
    await later(me, 30 * DAY_MS);
    const { event } = await pay(id);
    // Told of twice, and found out once more by asking, it is one payment.
    await told(event, event);
    await later(me, DAY_MS);
    await reconcile(env, Date.now());
    expect(await sums(inviter)).toEqual([
      [105, 'due'],
      [105, 'due'],
    ]);
    expect(await commissionsOf(me)).toEqual([]);
  });

  test('the share is what the operator says at that time, and stays so for what was paid', async () => {
    const { inviter, me } = await invited();
    const { id } = await member(me);
    await env.KV.put(BUSINESS_KEY, JSON.stringify({ commission_percent: 20 }));
    forgetBusiness(env);
    await told((await refund(id, { value: '2.99' })).event);
    expect(await sums(inviter)).toEqual([[60, 'due']]);
    await later(me, 30 * DAY_MS);
    await told((await pay(id)).event);
    expect(await sums(inviter)).toEqual([
      [140, 'due'],
      [60, 'due'],
    ]);
    const kept = await env.DB.prepare('select percent from commissions where inviter_id = ? order by percent')
      .bind(inviter.id)
      .all();
    expect(kept.results).toEqual([{ percent: 15 }, { percent: 20 }]);
  });

  test('and gets some of it back, I am owed a share of the rest; of all of it, nothing', async () => {
    const { inviter, me } = await invited();
    const { id } = await member(me);
    await told((await refund(id, { value: '3.50' })).event);
    expect(await sums(inviter)).toEqual([[52, 'due']]);
    await told((await refund(id, { value: '3.49' })).event);
    expect(await sums(inviter)).toEqual([[52, 'reversed']]);
  });

  test('and their bank takes it back, nothing is due of it any more', async () => {
    const { inviter, me } = await invited();
    const { id } = await member(me);
    await told((await reverse(id)).event);
    expect(await sums(inviter)).toEqual([[105, 'reversed']]);
    expect((await payOut(inviter)).status).toBe(409);
  });

  test('before they took my invitation, I am owed nothing of it, however late it is told', async () => {
    const inviter = await signedIn();
    const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const { me, id } = await member();
    await later(me, 2 * DAY_MS);
    const late = await pay(id, { at: Date.now() - DAY_MS });
    await me.ask('/api/onboarding', { json: { invite_code: code } });
    await told(late.event);
    expect(await commissionsOf(inviter)).toEqual([]);
    await told((await pay(id)).event);
    expect(await sums(inviter)).toEqual([[105, 'due']]);
  });

  test('and nobody invited them, nobody is owed anything', async () => {
    const before = await env.DB.prepare('select count(*) as count from commissions').first<number>('count');
    await member();
    expect(await env.DB.prepare('select count(*) as count from commissions').first<number>('count')).toBe(
      before,
    );
  });

  test('I am owed nothing of my own payments, even where the books say that I invited myself', async () => {
    const me = await signedIn();
    await env.DB.prepare('update users set invited_by = id, invited_at = 1 where id = ?').bind(me.id).run();
    await member(me);
    expect(await commissionsOf(me)).toEqual([]);
  });

  test('and the money comes from my own account at PayPal, I am owed nothing', async () => {
    const { inviter, me } = await invited();
    const payer = { payer_id: 'ONEANDTHESAME' };
    const { id: mine } = await agreed(inviter, payer);
    expect((await activate(inviter, mine)).status).toBe(200);
    const { id } = await agreed(me, payer);
    expect((await activate(me, id)).status).toBe(200);
    expect(await commissionsOf(inviter)).toEqual([]);
    await told((await pay(id)).event);
    expect(await commissionsOf(inviter)).toEqual([]);
  });

  test('and I am gone, they are a member all the same', async () => {
    const { inviter, me } = await invited();
    await env.DB.prepare('delete from users where id = ?').bind(inviter.id).run();
    await member(me);
  });
});

describe('Money in my download', () => {
  test('is what I paid, what came back, and what I earned', async () => {
    const { inviter, me } = await invited();
    const { id } = await agreed(me);
    await me.ask('/api/subscription/activate', { json: { subscription_id: id } });
    await told((await refund(id, { value: '2.00' })).event);
    await payOut(inviter);
    await happensAtPayPal(id, 'cancel');
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
