import { describe, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { allErased, askedToDelete, confirm } from '../support/leaving.ts';
import {
  activate,
  agreed,
  DAY_MS,
  later,
  member,
  mySubscription,
  planOf,
  settledAt,
  told,
} from '../support/members.ts';
import { ORIGIN, signedIn, type Visitor } from '../support/makers.ts';
import { begunAtPayPal, booked, changeAtPayPal, pay, refund, seen, signedEvent } from '../support/paypal.ts';

const iso = (at: number) => new Date(at).toISOString();
const settle = (id: string) => settledAt(ORIGIN, id);
const activated = (id: string) => signedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: id });
const downgrade = (me: Visitor) => me.ask('/api/subscription/downgrade', { method: 'POST' });

/** Somebody who has cancelled, with what is paid for to its end. */
async function leaving() {
  const { me, id } = await member();
  await downgrade(me);
  const start = (await mySubscription(me)).client?.starts_at ?? '';
  const back = (more: object = {}) =>
    begunAtPayPal(me, { start_time: start, next_billing_time: start, ...more });
  return { me, id, start, back };
}

describe('When I agree to come back, and close the page before it is told here', () => {
  test('my page knows it by PayPal’s word: when it begins, and that there is nothing more to agree to', async () => {
    const { me, id, start, back } = await leaving();
    const next = await back();
    await told(await activated(next));
    expect(await mySubscription(me)).toMatchObject({
      plan: 'storyteller',
      status: 'active',
      begins_at: start.replace(/\.\d+Z$/, '.000Z'),
      current_period_end: start,
      pending_downgrade: false,
      auto_renew: true,
      is_awaited: false,
    });
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
    // It brings nothing by itself.
    expect((await booked(next))?.period_end).toBeLessThanOrEqual(Date.now());
  });

  test('I can cancel it before it begins', async () => {
    const { me, back } = await leaving();
    const next = await back();
    await told(await activated(next));
    await downgrade(me);
    expect(await seen(next)).toMatchObject({ status: 'CANCELLED' });
    expect(await mySubscription(me)).toMatchObject({ pending_downgrade: true, begins_at: null });
  });

  test('it is not billed to me once my account is deleted', async () => {
    const { me, back } = await leaving();
    const next = await back();
    await told(await activated(next));
    expect((await confirm(me, await askedToDelete(me))).status).toBe(200);
    expect(await seen(next)).toMatchObject({ status: 'CANCELLED' });
    await allErased();
  });

  test('nor when PayPal tells of it only after my account is gone', async () => {
    const { me, back } = await leaving();
    const next = await back();
    expect((await confirm(me, await askedToDelete(me))).status).toBe(200);
    await allErased();
    expect(await seen(next)).toMatchObject({ status: 'ACTIVE' });
    await told(await activated(next));
    expect(await seen(next)).toMatchObject({ status: 'CANCELLED' });
  });

  test.each(['before', 'after'])(
    'and agree once more since, only one will be billed: PayPal tells of the first %s the second',
    async (when) => {
      const { me, back } = await leaving();
      const [first, second] = [await back(), await back()];
      if (when === 'before') await told(await activated(first));
      expect((await activate(me, second)).status).toBe(200);
      if (when === 'after') await told(await activated(first));
      expect([await seen(first), await seen(second)]).toMatchObject([
        { status: 'CANCELLED' },
        { status: 'ACTIVE' },
      ]);
      expect(await mySubscription(me)).toMatchObject({ status: 'active', auto_renew: true });
    },
  );

  test('and begin one at once since, the one that is to come is not billed as well', async () => {
    const { me, back } = await leaving();
    const toCome = await back();
    await told(await activated(toCome));
    const { id: now } = await agreed(me);
    expect((await activate(me, now)).status).toBe(200);
    expect([await seen(toCome), await seen(now)]).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'ACTIVE' },
    ]);
  });

  test('and PayPal does not take the cancellation of the one too many, it is tried again', async () => {
    const { me, back } = await leaving();
    const first = await back({ troubles: [{ at: 'cancel', status: 503, times: 1 }] });
    await told(await activated(first));
    const second = await back();
    await activate(me, second);
    expect(await seen(first)).toMatchObject({ status: 'ACTIVE' });
    await settle(second);
    expect(await seen(first)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('Two months that I paid for at once', () => {
  const endOf = async (me: Visitor) => Date.parse((await mySubscription(me)).current_period_end ?? '');

  test('are both mine, one after the other', async () => {
    const { me } = await member();
    const first = await endOf(me);
    await activate(me, (await agreed(me)).id);
    expect((await endOf(me)) - first).toBeGreaterThanOrEqual(27 * DAY_MS);
    await later(me, 40 * DAY_MS);
    expect(await planOf(me)).toBe('storyteller');
    await later(me, 30 * DAY_MS);
    expect(await planOf(me)).toBe('free');
  });

  test('are one again when one of them was given back', async () => {
    const { me } = await member();
    const first = await endOf(me);
    const { id: second } = await agreed(me);
    await activate(me, second);
    await told((await refund(second)).event);
    expect(await endOf(me)).toBe(first);
    await later(me, 40 * DAY_MS);
    expect(await planOf(me)).toBe('free');
  });
});

describe('Subscriptions that I never pay for', () => {
  const unpaid = async (me: Pick<Visitor, 'id'>, more: object = {}) =>
    begunAtPayPal(me, { next_billing_time: iso(Date.now() + 30 * DAY_MS), ...more });

  test('bring a day once, however many I agree to', async () => {
    const me = await signedIn();
    const first = await unpaid(me);
    await activate(me, first);
    expect(await planOf(me)).toBe('storyteller');
    await later(me, 2 * DAY_MS);
    await changeAtPayPal(first, { start_time: iso(Date.now() - 2 * DAY_MS) });
    for (const cancels of [false, true]) {
      if (cancels) await downgrade(me);
      const next = await unpaid(me);
      expect((await activate(me, next)).status).toBe(200);
      await settle(first);
      expect(await planOf(me)).toBe('free');
      // Once it is paid for it is mine.
      if (cancels) await told((await pay(next)).event);
    }
    expect(await planOf(me)).toBe('storyteller');
  });

  test('bring none to another account of mine, which the same PayPal account pays for', async () => {
    const payer = { payer_id: newId(Date.now()).slice(0, 13).toUpperCase() };
    const [me, other] = [await signedIn(), await signedIn()];
    await activate(me, await unpaid(me, payer));
    const second = await unpaid(other, payer);
    expect((await activate(other, second)).status).toBe(200);
    expect([await planOf(me), await planOf(other)]).toEqual(['storyteller', 'free']);
    await told((await pay(second)).event);
    expect(await planOf(other)).toBe('storyteller');
  });
});

test('What I agree to for much later takes no day from another account that the same PayPal account pays for', async () => {
  const payer_id = newId(Date.now()).slice(0, 13).toUpperCase();
  const [me, other] = [await signedIn(), await signedIn()];
  const start = iso(Date.now() + 300 * DAY_MS);
  await activate(me, await begunAtPayPal(me, { payer_id, start_time: start, next_billing_time: start }));
  const now = await begunAtPayPal(other, { payer_id, next_billing_time: iso(Date.now() + 30 * DAY_MS) });
  expect((await activate(other, now)).status).toBe(200);
  expect([await planOf(me), await planOf(other)]).toEqual(['free', 'storyteller']);
});

describe('What my page is told of money', () => {
  test('that is on its way: until when what I have stays, and from when on it does not', async () => {
    const me = await signedIn();
    const id = await begunAtPayPal(me, { next_billing_time: iso(Date.now() + 30 * DAY_MS) });
    const answer = await activate(me, id);
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
    await later(me, 1.1 * DAY_MS);
    expect(await mySubscription(me)).toMatchObject({
      plan: 'free',
      is_awaited: true,
      current_period_end: null,
    });
  });

  test('that is due and a little late: until when it was paid, and until when it stays', async () => {
    const { me } = await member();
    const end = Date.parse((await mySubscription(me)).current_period_end ?? '');
    const overdue = end - Date.now() + 0.2 * DAY_MS;
    await later(me, overdue);
    const late = await mySubscription(me);
    expect(late).toMatchObject({ plan: 'storyteller', is_awaited: true });
    expect(Date.parse(late.current_period_end ?? '')).toBe(end - overdue + DAY_MS);
    await later(me, DAY_MS);
    expect(await mySubscription(me)).toMatchObject({
      plan: 'free',
      is_awaited: true,
      current_period_end: iso(end - overdue - DAY_MS),
    });
  });

  test('that was given back: that it was, when the next is due, and that no payment failed', async () => {
    const me = await signedIn();
    const { id } = await agreed(me, {}, { at: Date.now() - 60_000 });
    await activate(me, id);
    const next = iso(Math.floor(Date.now() / 1000) * 1000 + 30 * DAY_MS);
    await changeAtPayPal(id, { next_billing_time: next });
    await told((await refund(id)).event);
    expect(await mySubscription(me)).toMatchObject({
      plan: 'free',
      status: 'active',
      is_refunded: true,
      is_failing: false,
      is_awaited: false,
      next_payment_at: next,
    });
    await told((await pay(id)).event);
    expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller', is_refunded: false });
  });
});
