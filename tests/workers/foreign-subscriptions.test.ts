import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { reconcile } from '../../src/services/process-payment-events.ts';
import { openDatabase } from '../../src/db/open.ts';
import { isKnownGone, removeExpiredTokens } from '../../src/features/account/used-token-store.ts';
import { keepClaim } from '../../src/features/billing/payment-event-store.ts';
import { BUSINESS_KEY, forgetBusiness } from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { newId } from '../../src/lib/ids.ts';
import { leave } from '../support/leaving.ts';
import {
  activate,
  agreed,
  DAY_MS,
  later,
  member,
  mySubscription,
  paymentsOf,
  planOf,
  settledAt,
  told,
} from '../support/members.ts';
import { ORIGIN, signedIn } from '../support/makers.ts';
import {
  begunAtPayPal,
  booked,
  changeAtPayPal,
  happensAtPayPal,
  pay,
  seen,
  signedEvent,
} from '../support/paypal.ts';

const iso = (at: number) => new Date(at).toISOString();
const settle = (id: string) => settledAt(ORIGIN, id);
const activated = (id: string) => signedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: id });

/** What the log was told while something was done. */
async function logged(event: string, work: () => Promise<unknown>): Promise<string[]> {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  try {
    await work();
    return log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(`"${event}"`));
  } finally {
    log.mockRestore();
  }
}

afterEach(async () => {
  await env.KV.delete(BUSINESS_KEY);
  forgetBusiness(env);
});

describe('A subscription that a stranger agrees to in my name', () => {
  test('ends nothing of mine, whether it is paid or not', async () => {
    const { me, id } = await member();
    const theirs = await begunAtPayPal(me, { payer_id: 'STRANGER12345' });
    const lines = await logged('paid_twice', async () => {
      await told(await activated(theirs));
      await told((await pay(theirs)).event);
      await settle(theirs);
      await settle(id);
    });
    expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
    // The operator is told of the two, once.
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(theirs);
  });

  test.each([
    ['PayPal does not say who pays', null, null],
    ['they pay for it themselves', undefined, 'STRANGER12345'],
  ])(
    'ends nothing of mine where %s, also when I am led to say here that it is mine: both months are',
    async (_, mine, theirs) => {
      const me = await signedIn();
      const { id } = await agreed(me, mine === undefined ? {} : { payer_id: mine });
      await activate(me, id);
      const first = await mySubscription(me);
      const { id: present } = await agreed(me, { payer_id: theirs });
      expect((await activate(await signedIn(), present)).status).toBe(403);
      await told(await activated(present));
      await settle(present);
      expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
      expect((await activate(me, present)).status).toBe(200);
      await settle(id);
      expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
      const both = await mySubscription(me);
      const end = (view: typeof both) => Date.parse(view.current_period_end ?? '');
      expect(end(both) - end(first)).toBeGreaterThanOrEqual(27 * DAY_MS);
      expect(both.client?.starts_at).toBe(both.current_period_end);
    },
  );

  test('and say is mine takes the place of what I have not paid for', async () => {
    const me = await signedIn();
    const id = await begunAtPayPal(me);
    await activate(me, id);
    const { id: other } = await agreed(me, { payer_id: 'MYOTHERSELF12' });
    await activate(me, other);
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await seen(other)).toMatchObject({ status: 'ACTIVE' });
  });

  test('and that begins much later is kept to be ended, and changes nothing that I see', async () => {
    const { me } = await member();
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    const before = await mySubscription(me);
    const start = iso(Date.now() + 300 * DAY_MS);
    const theirs = await begunAtPayPal(me, {
      payer_id: 'STRANGER12345',
      start_time: start,
      next_billing_time: start,
    });
    await told(await activated(theirs));
    expect(await mySubscription(me)).toEqual(before);
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    expect(await seen(theirs)).toMatchObject({ status: 'CANCELLED' });
    expect(await mySubscription(me)).toEqual(before);
  });
});

describe('Two subscriptions of mine', () => {
  test('of which the browser did not say anything are one too many all the same', async () => {
    const { me, id } = await member();
    const { id: newer } = await agreed(me);
    await told(await activated(newer));
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await seen(newer)).toMatchObject({ status: 'ACTIVE' });
  });

  test('of which the newer is to begin leave me the older until it does', async () => {
    const { me, id } = await member();
    const start = iso(Date.now() + 20 * DAY_MS);
    const next = await begunAtPayPal(me, { start_time: start, next_billing_time: start });
    expect((await activate(me, next)).status).toBe(200);
    expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
    await later(me, DAY_MS);
    await changeAtPayPal(next, { start_time: iso(Date.now() - 60_000) });
    await pay(next);
    await settle(next);
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('of which the older could not be cancelled at once: it is, as soon as PayPal answers', async () => {
    const { me, id } = await member();
    await changeAtPayPal(id, { troubles: [{ at: 'cancel', status: 503, times: 1 }] });
    const { id: newer } = await agreed(me);
    await activate(me, newer);
    expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
    await settle(id);
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
  });
});

test('Where PayPal cannot say what became of one that I cancel, the other is cancelled all the same', async () => {
  const { me, id } = await member();
  const other = await begunAtPayPal(me, { payer_id: 'STRANGER12345' });
  await told(await activated(other));
  await told((await pay(other)).event);
  await changeAtPayPal(other, { troubles: [{ at: 'show', status: 503 }] });
  const cancel = () => me.call('/api/subscription/downgrade', { method: 'POST' });
  const lines = await logged('downgrade_failed', async () => expect((await cancel()).status).toBe(502));
  expect(lines).toHaveLength(1);
  expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
  await changeAtPayPal(other, { troubles: [] });
  expect((await cancel()).status).toBe(200);
  expect(await seen(other)).toMatchObject({ status: 'CANCELLED' });
});

describe('What I agreed to', () => {
  test('is not changed by a first payment of one cent: it buys nothing, and the operator is told', async () => {
    const me = await signedIn();
    const id = await begunAtPayPal(me);
    await activate(me, id);
    const lines = await logged('payment_too_small', async () => {
      await told((await pay(id, { value: '0.01' })).event);
      await settle(id);
    });
    expect(lines).toHaveLength(1);
    expect(await paymentsOf(me)).toMatchObject([{ amount_cents: 1 }]);
    await later(me, 1.1 * DAY_MS);
    await changeAtPayPal(id, { start_time: iso(Date.now() - 1.1 * DAY_MS) });
    await settle(id);
    expect(await planOf(me)).toBe('free');
    // A whole one does.
    await told((await pay(id)).event);
    expect(await planOf(me)).toBe('storyteller');
  });

  test('is not changed by the operator, who asks more of whoever begins now', async () => {
    const { me, id } = await member();
    await env.KV.put(BUSINESS_KEY, JSON.stringify({ storyteller_price_cents: 999 }));
    forgetBusiness(env);
    await later(me, 30 * DAY_MS);
    await told((await pay(id)).event);
    await later(me, 20 * DAY_MS);
    expect(await planOf(me)).toBe('storyteller');
    expect(await mySubscription(me)).toMatchObject({ price_cents: 699 });
  });

  test('and never pay for is mine for a day, and no month', async () => {
    const me = await signedIn();
    const next = iso(Date.now() + 30 * DAY_MS);
    const id = await begunAtPayPal(me, { next_billing_time: next });
    await activate(me, id);
    expect(await planOf(me)).toBe('storyteller');
    await later(me, 1.1 * DAY_MS);
    await changeAtPayPal(id, { start_time: iso(Date.now() - 1.1 * DAY_MS) });
    await settle(id);
    await reconcile(env, Date.now());
    expect(await planOf(me)).toBe('free');
  });

  test('is mine by PayPal’s own word where it lists no payments and tells of none', async () => {
    const me = await signedIn();
    const id = await begunAtPayPal(me, {
      next_billing_time: iso(Date.now() + 30 * DAY_MS),
      troubles: [{ at: 'transactions', status: 404 }],
    });
    await activate(me, id);
    await later(me, 29 * DAY_MS);
    expect(await planOf(me)).toBe('storyteller');
  });
});

describe('What is not sold here', () => {
  test('is cancelled at PayPal also when its browser was closed, and the operator is told by its number', async () => {
    const me = await signedIn();
    const { id, event } = await agreed(me, { plan_id: 'P-OLDPLAN0000000' });
    const lines = await logged('subscription_refused', () => told(event));
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(id);
    expect(await booked(id)).toBeNull();
  });

  test('is cancelled also where PayPal does not answer at first', async () => {
    const me = await signedIn();
    const { id } = await agreed(me, {
      plan_id: 'P-OLDPLAN0000000',
      troubles: [{ at: 'cancel', status: 503, times: 1 }],
    });
    expect((await activate(me, id)).status).toBe(422);
    expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
    expect((await activate(me, id)).status).toBe(422);
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('is not billed for an account that is gone', async () => {
    const me = await signedIn();
    const { id, event } = await agreed(me);
    await leave(me);
    const lines = await logged('subscription_refused', () => told(event));
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
    expect(lines[0]).toContain(id);
    // That it is over is no news.
    const again = await happensAtPayPal(id, 'cancel');
    expect(await logged('subscription_refused', () => told(again.event))).toEqual([]);
  });

  test.each([
    ['whatever its plan', { plan_id: 'P-OLDPLAN0000000' }],
    ['whatever its price', { price: { currency_code: 'USD', value: '9.99' } }],
    ['also before it begins', { start_time: iso(Date.now() + 20 * DAY_MS) }],
  ])('is not billed for an account that is gone, %s', async (_, atPayPal) => {
    const me = await signedIn();
    const id = await begunAtPayPal(me, atPayPal);
    await leave(me);
    await told(await activated(id));
    expect(await seen(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test.each([
    ['our own plan', {}],
    ['any other plan', { plan_id: 'P-OLDPLAN0000000' }],
  ])(
    'but of a member of another site with the same PayPal account, is left alone, by %s, and the operator is told',
    async (_, atPayPal) => {
      const { id, event } = await agreed({ id: newId(Date.now()) }, atPayPal);
      const lines = await logged('subscription_refused', () => told(event));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(id);
      expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
      expect(await booked(id)).toBeNull();
    },
  );

  test('is left alone as well once nobody knows any more that its account was here', async () => {
    const me = await signedIn();
    await leave(me);
    const db = openDatabase(env.DB);
    const isKnown = () => isKnownGone(db, me.id);
    await removeExpiredTokens(db, Date.now() + 399 * DAY_MS);
    expect(await isKnown()).toBe(true);
    await removeExpiredTokens(db, Date.now() + 401 * DAY_MS);
    expect(await isKnown()).toBe(false);
    const { id, event } = await agreed(me);
    await told(event);
    expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('but somewhere else, for nobody here, is left alone', async () => {
    const { id, event } = await agreed({ id: 'order 17' }, { plan_id: 'P-SOMETHINGELSE' });
    await told(event);
    expect(await seen(id)).toMatchObject({ status: 'ACTIVE' });
  });
});

test('That PayPal told of mine before my browser did changes nothing', async () => {
  const me = await signedIn();
  const { id, event } = await agreed(me);
  await told(event);
  expect(await planOf(me)).toBe('storyteller');
  expect((await activate(me, id)).status).toBe(200);
  const asked = (await seen(id)).calls.length;
  expect((await activate(me, id)).status).toBe(200);
  expect((await seen(id)).calls.length).toBe(asked);
  await keepClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: id }, Date.now());
  await settle(id);
  expect(await mySubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
});
