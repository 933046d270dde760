import { describe, expect, test } from 'vitest';
import { createId } from '../../src/lib/ids.ts';
import { runErasures, requestDeletion, confirmDeletion } from '../support/account-deletion.ts';
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
} from '../support/memberships.ts';
import { ORIGIN, createAccount, type Visitor } from '../support/factories.ts';
import {
  createPayPalSubscription,
  readSubscriptionRow,
  updatePayPalSubscription,
  pay,
  refund,
  getPayPalState,
  createSignedEvent,
} from '../support/paypal.ts';

const iso = (at: number) => new Date(at).toISOString();
const settle = (id: string) => reconcileAt(ORIGIN, id);
const activated = (id: string) =>
  createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: id });
const downgrade = (me: Visitor) => me.ask('/api/subscription/downgrade', { method: 'POST' });

/** Somebody who has cancelled, with what is paid for to its end. */
async function leaving() {
  const { me, id } = await createMember();
  await downgrade(me);
  const start = (await getSubscription(me)).client?.starts_at ?? '';
  const back = (more: object = {}) =>
    createPayPalSubscription(me, { start_time: start, next_billing_time: start, ...more });
  return { me, id, start, back };
}

describe('When I agree to come back, and close the page before it is told here', () => {
  test('my page knows it by PayPal’s word: when it begins, and that there is nothing more to agree to', async () => {
    const { me, id, start, back } = await leaving();
    const next = await back();
    await deliverEvents(await activated(next));
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
    // It brings nothing by itself.
    expect((await readSubscriptionRow(next))?.period_end).toBeLessThanOrEqual(Date.now());
  });

  test('I can cancel it before it begins', async () => {
    const { me, back } = await leaving();
    const next = await back();
    await deliverEvents(await activated(next));
    await downgrade(me);
    expect(await getPayPalState(next)).toMatchObject({ status: 'CANCELLED' });
    expect(await getSubscription(me)).toMatchObject({ pending_downgrade: true, begins_at: null });
  });

  test('it is not billed to me once my account is deleted', async () => {
    const { me, back } = await leaving();
    const next = await back();
    await deliverEvents(await activated(next));
    expect((await confirmDeletion(me, await requestDeletion(me))).status).toBe(200);
    expect(await getPayPalState(next)).toMatchObject({ status: 'CANCELLED' });
    await runErasures();
  });

  test('nor when PayPal tells of it only after my account is gone', async () => {
    const { me, back } = await leaving();
    const next = await back();
    expect((await confirmDeletion(me, await requestDeletion(me))).status).toBe(200);
    await runErasures();
    expect(await getPayPalState(next)).toMatchObject({ status: 'ACTIVE' });
    await deliverEvents(await activated(next));
    expect(await getPayPalState(next)).toMatchObject({ status: 'CANCELLED' });
  });

  test.each(['before', 'after'])(
    'and agree once more since, only one will be billed: PayPal tells of the first %s the second',
    async (when) => {
      const { me, back } = await leaving();
      const [first, second] = [await back(), await back()];
      if (when === 'before') await deliverEvents(await activated(first));
      expect((await activateSubscription(me, second)).status).toBe(200);
      if (when === 'after') await deliverEvents(await activated(first));
      expect([await getPayPalState(first), await getPayPalState(second)]).toMatchObject([
        { status: 'CANCELLED' },
        { status: 'ACTIVE' },
      ]);
      expect(await getSubscription(me)).toMatchObject({ status: 'active', auto_renew: true });
    },
  );

  test('and begin one at once since, the one that is to come is not billed as well', async () => {
    const { me, back } = await leaving();
    const toCome = await back();
    await deliverEvents(await activated(toCome));
    const { id: now } = await createAgreement(me);
    expect((await activateSubscription(me, now)).status).toBe(200);
    expect([await getPayPalState(toCome), await getPayPalState(now)]).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'ACTIVE' },
    ]);
  });

  test('and PayPal does not take the cancellation of the one too many, it is tried again', async () => {
    const { me, back } = await leaving();
    const first = await back({ troubles: [{ at: 'cancel', status: 503, times: 1 }] });
    await deliverEvents(await activated(first));
    const second = await back();
    await activateSubscription(me, second);
    expect(await getPayPalState(first)).toMatchObject({ status: 'ACTIVE' });
    await settle(second);
    expect(await getPayPalState(first)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('Two months that I paid for at once', () => {
  const endOf = async (me: Visitor) => Date.parse((await getSubscription(me)).current_period_end ?? '');

  test('are both mine, one after the other', async () => {
    const { me } = await createMember();
    const first = await endOf(me);
    await activateSubscription(me, (await createAgreement(me)).id);
    expect((await endOf(me)) - first).toBeGreaterThanOrEqual(27 * DAY_MS);
    await shiftUserTime(me, 40 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 30 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });

  test('are one again when one of them was given back', async () => {
    const { me } = await createMember();
    const first = await endOf(me);
    const { id: second } = await createAgreement(me);
    await activateSubscription(me, second);
    await deliverEvents((await refund(second)).event);
    expect(await endOf(me)).toBe(first);
    await shiftUserTime(me, 40 * DAY_MS);
    expect(await getPlan(me)).toBe('free');
  });
});

describe('Subscriptions that I never pay for', () => {
  const unpaid = async (me: Pick<Visitor, 'id'>, more: object = {}) =>
    createPayPalSubscription(me, { next_billing_time: iso(Date.now() + 30 * DAY_MS), ...more });

  test('bring a day once, however many I agree to', async () => {
    const me = await createAccount();
    const first = await unpaid(me);
    await activateSubscription(me, first);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 2 * DAY_MS);
    await updatePayPalSubscription(first, { start_time: iso(Date.now() - 2 * DAY_MS) });
    for (const cancels of [false, true]) {
      if (cancels) await downgrade(me);
      const next = await unpaid(me);
      expect((await activateSubscription(me, next)).status).toBe(200);
      await settle(first);
      expect(await getPlan(me)).toBe('free');
      // Once it is paid for it is mine.
      if (cancels) await deliverEvents((await pay(next)).event);
    }
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('bring none to another account of mine, which the same PayPal account pays for', async () => {
    const payer = { payer_id: createId(Date.now()).slice(0, 13).toUpperCase() };
    const [me, other] = [await createAccount(), await createAccount()];
    await activateSubscription(me, await unpaid(me, payer));
    const second = await unpaid(other, payer);
    expect((await activateSubscription(other, second)).status).toBe(200);
    expect([await getPlan(me), await getPlan(other)]).toEqual(['storyteller', 'free']);
    await deliverEvents((await pay(second)).event);
    expect(await getPlan(other)).toBe('storyteller');
  });
});

test('What I agree to for much later takes no day from another account that the same PayPal account pays for', async () => {
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

describe('What my page is told of money', () => {
  test('that is on its way: until when what I have stays, and from when on it does not', async () => {
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

  test('that is due and a little late: until when it was paid, and until when it stays', async () => {
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

  test('that was given back: that it was, when the next is due, and that no payment failed', async () => {
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
