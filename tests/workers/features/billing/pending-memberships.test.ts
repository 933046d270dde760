import { describe, expect, test } from 'vitest';
import { createId } from '../../../../src/lib/ids.ts';
import { runErasures, requestDeletion, confirmDeletion } from '../../../support/account-deletion.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  createMember,
  getSubscription,
  getPlan,
  reconcileAt,
  deliverEvents,
} from '../../../support/memberships.ts';
import { ORIGIN, createAccount, type Visitor } from '../../../support/factories.ts';
import {
  createPayPalSubscription,
  readSubscriptionRow,
  updatePayPalSubscription,
  pay,
  refund,
  getPayPalState,
  createSignedEvent,
} from '../../../support/paypal.ts';

const iso = (at: number) => new Date(at).toISOString();
const reconcile = (id: string) => reconcileAt(ORIGIN, id);
const createActivatedEvent = (id: string) =>
  createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: id });
const downgrade = (me: Visitor) => me.ask('/api/subscription/downgrade', { method: 'POST' });

/** A user who has cancelled and whose paid time is not over. */
async function createLeavingMember() {
  const { me, id } = await createMember();
  await downgrade(me);
  const start = (await getSubscription(me)).client?.starts_at ?? '';
  const agreeToReturn = (more: object = {}) =>
    createPayPalSubscription(me, { start_time: start, next_billing_time: start, ...more });
  return { me, id, start, agreeToReturn };
}

describe('Agreements to return', () => {
  test('an agreement that only PayPal reported is shown with its start, and cannot be made again', async () => {
    const { me, id, start, agreeToReturn } = await createLeavingMember();
    const next = await agreeToReturn();
    await deliverEvents(await createActivatedEvent(next));
    expect(await getSubscription(me)).toMatchObject({
      plan: 'storyteller',
      status: 'active',
      begins_at: start.replace(/\.\d+Z$/, '.000Z'),
      current_period_end: start,
      pending_downgrade: false,
      auto_renew: true,
      is_awaited: false,
    });
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    // It brings no paid time of its own yet.
    expect((await readSubscriptionRow(next))?.period_end).toBeLessThanOrEqual(Date.now());
  });

  test('a membership can be cancelled before it begins', async () => {
    const { me, agreeToReturn } = await createLeavingMember();
    const next = await agreeToReturn();
    await deliverEvents(await createActivatedEvent(next));
    await downgrade(me);
    expect(await getPayPalState(next)).toMatchObject({ status: 'CANCELLED' });
    expect(await getSubscription(me)).toMatchObject({ pending_downgrade: true, begins_at: null });
  });

  test('deleting the account cancels a membership that has not begun', async () => {
    const { me, agreeToReturn } = await createLeavingMember();
    const next = await agreeToReturn();
    await deliverEvents(await createActivatedEvent(next));
    expect((await confirmDeletion(me, await requestDeletion(me))).status).toBe(200);
    expect(await getPayPalState(next)).toMatchObject({ status: 'CANCELLED' });
    await runErasures();
  });

  test('a membership that PayPal reports after the account was deleted is cancelled', async () => {
    const { me, agreeToReturn } = await createLeavingMember();
    const next = await agreeToReturn();
    expect((await confirmDeletion(me, await requestDeletion(me))).status).toBe(200);
    await runErasures();
    expect(await getPayPalState(next)).toMatchObject({ status: 'ACTIVE' });
    await deliverEvents(await createActivatedEvent(next));
    expect(await getPayPalState(next)).toMatchObject({ status: 'CANCELLED' });
  });

  test.each(['before', 'after'])(
    'of two agreements to return only one is billed: PayPal reports the first %s the second',
    async (when) => {
      const { me, agreeToReturn } = await createLeavingMember();
      const [first, second] = [await agreeToReturn(), await agreeToReturn()];
      if (when === 'before') await deliverEvents(await createActivatedEvent(first));
      expect((await activateSubscription(me, second)).status).toBe(200);
      if (when === 'after') await deliverEvents(await createActivatedEvent(first));
      expect([await getPayPalState(first), await getPayPalState(second)]).toMatchObject([
        { status: 'CANCELLED' },
        { status: 'ACTIVE' },
      ]);
      expect(await getSubscription(me)).toMatchObject({ status: 'active', auto_renew: true });
    },
  );

  test('a membership that starts at once cancels the one that was to start later', async () => {
    const { me, agreeToReturn } = await createLeavingMember();
    const laterSubscription = await agreeToReturn();
    await deliverEvents(await createActivatedEvent(laterSubscription));
    const { id: now } = await createAgreement(me);
    expect((await activateSubscription(me, now)).status).toBe(200);
    expect([await getPayPalState(laterSubscription), await getPayPalState(now)]).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'ACTIVE' },
    ]);
  });

  test('cancelling a surplus agreement is tried again when PayPal fails', async () => {
    const { me, agreeToReturn } = await createLeavingMember();
    const first = await agreeToReturn({ troubles: [{ at: 'cancel', status: 503, times: 1 }] });
    await deliverEvents(await createActivatedEvent(first));
    const second = await agreeToReturn();
    await activateSubscription(me, second);
    expect(await getPayPalState(first)).toMatchObject({ status: 'ACTIVE' });
    await reconcile(second);
    expect(await getPayPalState(first)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('Two paid months', () => {
  const getPeriodEnd = async (me: Visitor) =>
    Date.parse((await getSubscription(me)).current_period_end ?? '');

  test('two months paid at once are granted one after the other', async () => {
    const { me } = await createMember();
    const first = await getPeriodEnd(me);
    await activateSubscription(me, (await createAgreement(me)).id);
    expect((await getPeriodEnd(me)) - first).toBeGreaterThanOrEqual(27 * DAY_MS);
    await shiftUserTime(me, 40 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 30 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });

  test('a refund of one of two paid months leaves one', async () => {
    const { me } = await createMember();
    const first = await getPeriodEnd(me);
    const { id: second } = await createAgreement(me);
    await activateSubscription(me, second);
    await deliverEvents((await refund(second)).event);
    expect(await getPeriodEnd(me)).toBe(first);
    await shiftUserTime(me, 40 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });
});

describe('Unpaid subscriptions', () => {
  const createUnpaid = async (me: Pick<Visitor, 'id'>, more: object = {}) =>
    createPayPalSubscription(me, { next_billing_time: iso(Date.now() + 30 * DAY_MS), ...more });

  test('subscriptions that are never paid bring one day of membership in all', async () => {
    const me = await createAccount();
    const first = await createUnpaid(me);
    await activateSubscription(me, first);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 2 * DAY_MS);
    await updatePayPalSubscription(first, { start_time: iso(Date.now() - 2 * DAY_MS) });
    for (const cancels of [false, true]) {
      if (cancels) await downgrade(me);
      const next = await createUnpaid(me);
      expect((await activateSubscription(me, next)).status).toBe(200);
      await reconcile(first);
      expect(await getPlan(me)).toBe('free');
      // The membership begins once it is paid.
      if (cancels) await deliverEvents((await pay(next)).event);
    }
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('an unpaid subscription brings no day to a second account of the same PayPal payer', async () => {
    const payer = { payer_id: createId(Date.now()).slice(0, 13).toUpperCase() };
    const [me, other] = [await createAccount(), await createAccount()];
    await activateSubscription(me, await createUnpaid(me, payer));
    const second = await createUnpaid(other, payer);
    expect((await activateSubscription(other, second)).status).toBe(200);
    expect([await getPlan(me), await getPlan(other)]).toEqual(['storyteller', 'free']);
    await deliverEvents((await pay(second)).event);
    expect(await getPlan(other)).toBe('storyteller');
  });
});

test('an agreement for much later takes no unpaid day from another account of the same payer', async () => {
  const payer_id = createId(Date.now()).slice(0, 13).toUpperCase();
  const [me, other] = [await createAccount(), await createAccount()];
  const start = iso(Date.now() + 300 * DAY_MS);
  await activateSubscription(
    me,
    await createPayPalSubscription(me, { payer_id, start_time: start, next_billing_time: start }),
  );
  const now = await createPayPalSubscription(other, {
    payer_id,
    next_billing_time: iso(Date.now() + 30 * DAY_MS),
  });
  expect((await activateSubscription(other, now)).status).toBe(200);
  expect([await getPlan(me), await getPlan(other)]).toEqual(['free', 'storyteller']);
});

describe('Subscription page', () => {
  test('the subscription page shows an awaited first payment and how long the membership lasts without it', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, { next_billing_time: iso(Date.now() + 30 * DAY_MS) });
    const answer = await activateSubscription(me, id);
    expect(answer.status).toBe(200);
    const view = await answer.json<{ current_period_end: string }>();
    expect(view).toMatchObject({
      plan: 'storyteller',
      status: 'active',
      is_awaited: true,
      is_failing: false,
    });
    const ahead = Date.parse(view.current_period_end) - Date.now();
    expect(ahead).toBeGreaterThan(0.9 * DAY_MS);
    expect(ahead).toBeLessThanOrEqual(DAY_MS);
    await shiftUserTime(me, 1.1 * DAY_MS);
    expect(await getSubscription(me)).toMatchObject({
      plan: 'free',
      is_awaited: true,
      current_period_end: null,
    });
  });

  test('the subscription page shows a late payment, the end of the paid time and the end of the grace period', async () => {
    const { me } = await createMember();
    const end = Date.parse((await getSubscription(me)).current_period_end ?? '');
    const overdue = end - Date.now() + 0.2 * DAY_MS;
    await shiftUserTime(me, overdue);
    const late = await getSubscription(me);
    expect(late).toMatchObject({ plan: 'storyteller', is_awaited: true });
    expect(Date.parse(late.current_period_end ?? '')).toBe(end - overdue + DAY_MS);
    await shiftUserTime(me, DAY_MS);
    expect(await getSubscription(me)).toMatchObject({
      plan: 'free',
      is_awaited: true,
      current_period_end: iso(end - overdue - DAY_MS),
    });
  });

  test('the subscription page shows a refund and the next payment date, and no failed payment', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me, {}, { at: Date.now() - 60_000 });
    await activateSubscription(me, id);
    const next = iso(Math.floor(Date.now() / 1000) * 1000 + 30 * DAY_MS);
    await updatePayPalSubscription(id, { next_billing_time: next });
    await deliverEvents((await refund(id)).event);
    expect(await getSubscription(me)).toMatchObject({
      plan: 'free',
      status: 'active',
      is_refunded: true,
      is_failing: false,
      is_awaited: false,
      next_payment_at: next,
    });
    await deliverEvents((await pay(id)).event);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', is_refunded: false });
  });
});
