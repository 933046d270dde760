import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { removeOldPaymentEvents } from '../../src/features/billing/payment-event-store.ts';
import {
  signInAdmin,
  getAmountDue,
  createInvitedUser,
  sendPayout,
  readPayouts,
  listCommissionAmounts,
} from '../support/referrals.ts';
import { requestDeletion, confirmDeletion } from '../support/account-deletion.ts';
import { DAY_MS, createMember, postWebhook, deliverEvents } from '../support/memberships.ts';
import { createAccount, type Visitor } from '../support/factories.ts';
import { pay, refund, reverse } from '../support/paypal.ts';

describe('A payout', () => {
  test('is of everything that is due, written down once', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    await deliverEvents((await pay(id)).event);
    const operator = await signInAdmin();
    expect(await getAmountDue(inviter, operator)).toBe(210);
    const twice = { by: operator, cents: 210 };
    const answers = await Promise.all([sendPayout(inviter, twice), sendPayout(inviter, twice)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const done = answers.find(({ status }) => status === 201);
    const payout = {
      id: expect.any(String),
      user_id: inviter.id,
      amount_cents: 210,
      currency: 'USD',
      note: 'Transfer 1',
      at: expect.stringMatching(/^20\d\d-/),
    };
    expect(await done?.json()).toEqual(payout);
    expect(await listCommissionAmounts(inviter)).toEqual([
      [105, 'paid'],
      [105, 'paid'],
    ]);
    const { items, paid } = await readPayouts(operator);
    expect(items.filter(({ user_id }) => user_id === inviter.id)).toEqual([]);
    expect(paid.filter(({ user_id }) => user_id === inviter.id)).toEqual([payout]);
  });

  test('of another sum than is due by now is not written down: what came or went meanwhile is seen first', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    const seen = await getAmountDue(inviter);
    await deliverEvents((await refund(id, { value: '3.50' })).event);
    const late = await sendPayout(inviter, { cents: seen });
    expect([late.status, await late.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'payout_changed', amount_cents: 52 }),
    ]);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'due']]);
    expect((await sendPayout(inviter, { cents: 52 })).status).toBe(201);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'paid']]);
  });

  test('is less by what went back after it was paid out, once', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    expect((await sendPayout(inviter)).status).toBe(201);
    // A part of what was paid out, and then the rest of it.
    await deliverEvents((await refund(id, { value: '3.50' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([
      [52, 'paid'],
      [53, 'reversed'],
    ]);
    await deliverEvents((await refund(id, { value: '3.49' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([
      [52, 'reversed'],
      [53, 'reversed'],
    ]);
    await deliverEvents((await pay(id)).event);
    // What is due is what was paid out for nothing before.
    expect(await (await sendPayout(inviter)).json()).toMatchObject({ code: 'nothing_due' });
    await deliverEvents((await pay(id)).event);
    expect(await (await sendPayout(inviter)).json()).toMatchObject({ amount_cents: 105 });
    await deliverEvents((await pay(id)).event);
    expect(await (await sendPayout(inviter)).json()).toMatchObject({ amount_cents: 105 });
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
  });

  test('is there for the operator alone, and only for somebody who is owed something', async () => {
    const me = await createAccount();
    expect((await sendPayout(me, { by: me, cents: 1 })).status).toBe(404);
    expect((await me.call('/api/admin/payouts')).status).toBe(404);
    expect(await (await sendPayout(me)).json()).toMatchObject({ code: 'nothing_due' });
    const nobody = Object.assign(Object.create(me) as Visitor, { id: 'nobody' });
    expect(await (await sendPayout(nobody)).json()).toMatchObject({ code: 'nothing_due' });
  });
});

describe('When somebody whom I invited has deleted their account', () => {
  /** Their payment stands when they go, and PayPal tells of it what it will. */
  async function gone() {
    const { inviter, me } = await createInvitedUser();
    const { id, payment } = await createMember(me);
    const leave = async () => {
      const answer = await confirmDeletion(me, await requestDeletion(me));
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ deleted: true })]);
    };
    return { inviter, id, payment, leave };
  }

  test('and their bank takes their payment back, I am owed nothing of it any more', async () => {
    const { inviter, id, leave } = await gone();
    await leave();
    expect(await getAmountDue(inviter)).toBe(105);
    const { event } = await reverse(id);
    await deliverEvents(event, event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'reversed']]);
    expect(await getAmountDue(inviter)).toBe(0);
  });

  test('and gets all of it back in parts, I am owed less each time, and nothing in the end', async () => {
    const { inviter, id, leave } = await gone();
    await leave();
    const part = await refund(id, { value: '2.00' });
    await deliverEvents(part.event, part.event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'due']]);
    await deliverEvents((await refund(id, { value: '4.99' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'reversed']]);
    expect(await getAmountDue(inviter)).toBe(0);
  });

  test('after I was paid out, it is taken off the next payout, in part as in whole', async () => {
    const { inviter, id, leave } = await gone();
    expect((await sendPayout(inviter)).status).toBe(201);
    await leave();
    await deliverEvents((await refund(id, { value: '2.00' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([
      [30, 'reversed'],
      [75, 'paid'],
    ]);
    await deliverEvents((await reverse(id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([
      [30, 'reversed'],
      [75, 'reversed'],
    ]);
    const balance = await env.DB.prepare(
      "select sum(amount_cents) as sum from commissions where inviter_id = ? and status = 'reversed' and payout_id is not null and recovered_by is null",
    )
      .bind(inviter.id)
      .first('sum');
    expect(balance).toBe(105);
  });

  test('what they got back before is not taken off again when PayPal tells of it once more', async () => {
    const { inviter, id, payment, leave } = await gone();
    const { event } = await refund(id, { value: '2.00' });
    await deliverEvents(event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'due']]);
    await leave();
    await deliverEvents(event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'due']]);
    const kept = () =>
      env.DB.prepare('select count(*) as count from refunds where payment_id = ?')
        .bind(payment)
        .first<number>('count');
    expect(await kept()).toBe(1);
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
    expect(await kept()).toBe(0);
  });

  test('while what went back of it was not settled yet, I am owed nothing all the same', async () => {
    const { inviter, id, payment, leave } = await gone();
    const { refund: back } = await refund(id);
    await env.DB.prepare(
      'insert into refunds (id, payment_id, amount_cents, created_at) values (?, ?, 699, 1)',
    )
      .bind(back, payment)
      .run();
    await leave();
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'reversed']]);
    expect(
      await env.DB.prepare('select count(*) as count from refunds where payment_id = ?')
        .bind(payment)
        .first<number>('count'),
    ).toBe(0);
  });

  test('what is told of others’ payments changes nothing that I am owed', async () => {
    const { inviter, leave } = await gone();
    await leave();
    const other = await createMember();
    await postWebhook((await refund(other.id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'due']]);
  });
});
