import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { removeOldPaymentEvents } from '../../../../src/features/billing/payment-event-store.ts';
import {
  signInAdmin,
  getAmountDue,
  createInvitedUser,
  sendPayout,
  readPayouts,
  listCommissionAmounts,
} from '../../../support/referrals.ts';
import { requestDeletion, confirmDeletion } from '../../../support/account-deletion.ts';
import { DAY_MS, createMember, postWebhook, deliverEvents } from '../../../support/memberships.ts';
import { createAccount, type Visitor } from '../../../support/factories.ts';
import { pay, refund, reverse } from '../../../support/paypal.ts';

describe('Payouts', () => {
  test('a payout covers everything that is due and is recorded once', async () => {
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

  test('a payout with an outdated amount is refused with the current one', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    const amountDue = await getAmountDue(inviter);
    await deliverEvents((await refund(id, { value: '3.50' })).event);
    const late = await sendPayout(inviter, { cents: amountDue });
    expect([late.status, await late.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'payout_conflict', amount_cents: 52 }),
    ]);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'due']]);
    expect((await sendPayout(inviter, { cents: 52 })).status).toBe(201);
    expect(await listCommissionAmounts(inviter)).toEqual([[52, 'paid']]);
  });

  test('a payout is reduced once by commissions that were reversed after they were paid out', async () => {
    const { inviter, me } = await createInvitedUser();
    const { id } = await createMember(me);
    expect((await sendPayout(inviter)).status).toBe(201);
    // First a part of the payment that was paid out, and then the rest.
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
    // The new commission only covers what was paid out for the refunded payment.
    expect(await (await sendPayout(inviter)).json()).toMatchObject({ code: 'no_balance_due' });
    await deliverEvents((await pay(id)).event);
    expect(await (await sendPayout(inviter)).json()).toMatchObject({ amount_cents: 105 });
    await deliverEvents((await pay(id)).event);
    expect(await (await sendPayout(inviter)).json()).toMatchObject({ amount_cents: 105 });
    const [paid, countRefunds] = await Promise.all([
      env.DB.prepare('select sum(amount_cents) as sum from payouts where user_id = ?')
        .bind(inviter.id)
        .first('sum'),
      env.DB.prepare(
        "select sum(amount_cents) as sum from commissions where inviter_id = ? and status = 'paid'",
      )
        .bind(inviter.id)
        .first('sum'),
    ]);
    expect(paid).toBe(countRefunds);
  });

  test('payouts are for staff only, and only for a user with an amount due', async () => {
    const me = await createAccount();
    expect((await sendPayout(me, { by: me, cents: 1 })).status).toBe(404);
    expect((await me.call('/api/admin/payouts')).status).toBe(404);
    expect(await (await sendPayout(me)).json()).toMatchObject({ code: 'no_balance_due' });
    const unknownUser = Object.assign(Object.create(me) as Visitor, { id: 'nobody' });
    expect(await (await sendPayout(unknownUser)).json()).toMatchObject({ code: 'no_balance_due' });
  });
});

describe('Commissions of deleted users', () => {
  /** An invited member with a payment, and a function that deletes their account. */
  async function createInvitedMember() {
    const { inviter, me } = await createInvitedUser();
    const { id, payment } = await createMember(me);
    const deleteAccount = async () => {
      const answer = await confirmDeletion(me, await requestDeletion(me));
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ deleted: true })]);
    };
    return { inviter, id, payment, deleteAccount };
  }

  test('a payment that is charged back after the payer’s deletion reverses its commission', async () => {
    const { inviter, id, deleteAccount } = await createInvitedMember();
    await deleteAccount();
    expect(await getAmountDue(inviter)).toBe(105);
    const { event } = await reverse(id);
    await deliverEvents(event, event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'reversed']]);
    expect(await getAmountDue(inviter)).toBe(0);
  });

  test('a payment that is refunded in parts after the payer’s deletion reduces its commission each time', async () => {
    const { inviter, id, deleteAccount } = await createInvitedMember();
    await deleteAccount();
    const part = await refund(id, { value: '2.00' });
    await deliverEvents(part.event, part.event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'due']]);
    await deliverEvents((await refund(id, { value: '4.99' })).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'reversed']]);
    expect(await getAmountDue(inviter)).toBe(0);
  });

  test('a refund after the payer’s deletion is deducted from the next payout of a paid commission', async () => {
    const { inviter, id, deleteAccount } = await createInvitedMember();
    expect((await sendPayout(inviter)).status).toBe(201);
    await deleteAccount();
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
      "select sum(amount_cents) as sum from commissions where inviter_id = ? and status = 'reversed' and payout_id is not null and clawback_payout_id is null",
    )
      .bind(inviter.id)
      .first('sum');
    expect(balance).toBe(105);
  });

  test('a refund from before the payer’s deletion is not deducted again when PayPal repeats it', async () => {
    const { inviter, id, payment, deleteAccount } = await createInvitedMember();
    const { event } = await refund(id, { value: '2.00' });
    await deliverEvents(event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'due']]);
    await deleteAccount();
    await deliverEvents(event);
    expect(await listCommissionAmounts(inviter)).toEqual([[75, 'due']]);
    const countRefunds = () =>
      env.DB.prepare('select count(*) as count from refunds where payment_id = ?')
        .bind(payment)
        .first<number>('count');
    expect(await countRefunds()).toBe(1);
    await removeOldPaymentEvents(openDatabase(env.DB), Date.now() + 91 * DAY_MS);
    expect(await countRefunds()).toBe(0);
  });

  test('a refund that was not settled before the payer’s deletion still reverses the commission', async () => {
    const { inviter, id, payment, deleteAccount } = await createInvitedMember();
    const { refund: refundId } = await refund(id);
    await env.DB.prepare(
      'insert into refunds (id, payment_id, amount_cents, created_at) values (?, ?, 699, 1)',
    )
      .bind(refundId, payment)
      .run();
    await deleteAccount();
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'reversed']]);
    expect(
      await env.DB.prepare('select count(*) as count from refunds where payment_id = ?')
        .bind(payment)
        .first<number>('count'),
    ).toBe(0);
  });

  test('events about other users’ payments do not change a commission', async () => {
    const { inviter, deleteAccount } = await createInvitedMember();
    await deleteAccount();
    const other = await createMember();
    await postWebhook((await refund(other.id)).event);
    expect(await listCommissionAmounts(inviter)).toEqual([[105, 'due']]);
  });
});
