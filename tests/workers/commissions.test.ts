import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { reconcile } from '../../src/api/payment-events.ts';
import { BUSINESS_KEY, forgetBusiness } from '../../src/features/business/business-ports.ts';
import { agreed, DAY_MS, later, member, told } from '../support/members.ts';
import { signedIn, type Visitor } from '../support/makers.ts';
import { happensAtPayPal, pay, refund, reverse } from '../support/paypal.ts';

afterEach(async () => {
  await env.KV.delete(BUSINESS_KEY);
  forgetBusiness(env);
});

interface Owed {
  amount_cents: number;
  currency: string;
  status: string;
  at: string;
}
const commissionsOf = async (me: Visitor) =>
  (await me.ask<{ commissions: Owed[] }>('/api/invites')).commissions;
const sums = async (me: Visitor) =>
  (await commissionsOf(me)).map(({ amount_cents, status }) => [amount_cents, status]).toSorted();

/** Somebody, and whom they invited. */
async function invited() {
  const inviter = await signedIn();
  const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
  const me = await signedIn();
  await me.ask('/api/onboarding', { json: { invite_code: code } });
  return { inviter, me };
}

const admin = () => signedIn('admin@localhost.test');
const payOut = async (to: Visitor, by?: Visitor) =>
  (by ?? (await admin())).call('/api/admin/payouts', { json: { user_id: to.id, note: 'Transfer 1' } });

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

  test('and I am gone, they are a member all the same', async () => {
    const { inviter, me } = await invited();
    await env.DB.prepare('delete from users where id = ?').bind(inviter.id).run();
    await member(me);
  });
});

describe('A payout', () => {
  test('is of everything that is due, written down once', async () => {
    const { inviter, me } = await invited();
    const { id } = await member(me);
    await told((await pay(id)).event);
    const operator = await admin();
    const owed = async () =>
      (await operator.ask<{ items: { user_id: string; amount_cents: number }[] }>('/api/admin/payouts')).items
        .filter(({ user_id }) => user_id === inviter.id)
        .map(({ amount_cents }) => amount_cents);
    expect(await owed()).toEqual([210]);
    const answers = await Promise.all([payOut(inviter, operator), payOut(inviter, operator)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const done = answers.find(({ status }) => status === 201);
    expect(await done?.json()).toEqual({
      id: expect.any(String),
      user_id: inviter.id,
      amount_cents: 210,
      currency: 'USD',
      note: 'Transfer 1',
      at: expect.stringMatching(/^20\d\d-/),
    });
    expect(await sums(inviter)).toEqual([
      [105, 'paid'],
      [105, 'paid'],
    ]);
    expect(await owed()).toEqual([]);
  });

  test('is less by what went back after it was paid out, once', async () => {
    const { inviter, me } = await invited();
    const { id, payment } = await member(me);
    expect((await payOut(inviter)).status).toBe(201);
    // A part of what was paid out, and then the rest of it.
    await told((await refund(id, { value: '3.50' })).event);
    expect(await sums(inviter)).toEqual([
      [52, 'paid'],
      [53, 'reversed'],
    ]);
    await told((await refund(id, { value: '3.49' })).event);
    expect(await sums(inviter)).toEqual([
      [52, 'reversed'],
      [53, 'reversed'],
    ]);
    await told((await pay(id)).event);
    // What is due is what was paid out for nothing before.
    expect(await (await payOut(inviter)).json()).toMatchObject({ code: 'nothing_due' });
    await told((await pay(id)).event);
    expect(await (await payOut(inviter)).json()).toMatchObject({ amount_cents: 105 });
    await told((await pay(id)).event);
    expect(await (await payOut(inviter)).json()).toMatchObject({ amount_cents: 105 });
    const [paid, kept] = await Promise.all([
      env.DB.prepare('select sum(amount_cents) as sum from payouts where user_id = ?')
        .bind(inviter.id)
        .first('sum'),
      env.DB.prepare(
        "select sum(amount_cents) as sum from commissions where inviter_id = ? and status = 'paid'",
      )
        .bind(inviter.id)
        .first('sum'),
    ]);
    expect(paid).toBe(kept);
    expect(payment).not.toBe('');
  });

  test('is there for the operator alone, and only for somebody who is owed something', async () => {
    const me = await signedIn();
    expect((await payOut(me, me)).status).toBe(404);
    expect((await me.call('/api/admin/payouts')).status).toBe(404);
    expect(await (await payOut(me)).json()).toMatchObject({ code: 'nothing_due' });
    const { me: nobody } = { me: { ...me, id: 'nobody' } as Visitor };
    expect(await (await payOut(nobody)).json()).toMatchObject({ code: 'nothing_due' });
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
