import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { reconcileSubscriptions } from '../../src/services/process-payment-events.ts';
import { openDatabase } from '../../src/db/open.ts';
import { isDeletedAccount, removeExpiredTokens } from '../../src/features/account/used-token-store.ts';
import { saveClaim } from '../../src/features/billing/payment-event-store.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { createId } from '../../src/lib/ids.ts';
import { deleteAccount } from '../support/account-deletion.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  createMember,
  getSubscription,
  listPayments,
  getPlan,
  reconcileAt,
  deliverEvents,
} from '../support/memberships.ts';
import { ORIGIN, createAccount } from '../support/factories.ts';
import {
  createPayPalSubscription,
  readSubscriptionRow,
  updatePayPalSubscription,
  performPayPalAction,
  pay,
  getPayPalState,
  createSignedEvent,
} from '../support/paypal.ts';

const iso = (at: number) => new Date(at).toISOString();
const settle = (id: string) => reconcileAt(ORIGIN, id);
const activated = (id: string) =>
  createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: id });

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
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

describe('A subscription that a stranger agrees to in my name', () => {
  test('ends nothing of mine, whether it is paid or not', async () => {
    const { me, id } = await createMember();
    const theirs = await createPayPalSubscription(me, { payer_id: 'STRANGER12345' });
    const lines = await logged('paid_twice', async () => {
      await deliverEvents(await activated(theirs));
      await deliverEvents((await pay(theirs)).event);
      await settle(theirs);
      await settle(id);
    });
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
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
      const me = await createAccount();
      const { id } = await createAgreement(me, mine === undefined ? {} : { payer_id: mine });
      await activateSubscription(me, id);
      const first = await getSubscription(me);
      const { id: present } = await createAgreement(me, { payer_id: theirs });
      expect((await activateSubscription(await createAccount(), present)).status).toBe(403);
      await deliverEvents(await activated(present));
      await settle(present);
      expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
      expect((await activateSubscription(me, present)).status).toBe(200);
      await settle(id);
      expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
      const both = await getSubscription(me);
      const end = (view: typeof both) => Date.parse(view.current_period_end ?? '');
      expect(end(both) - end(first)).toBeGreaterThanOrEqual(27 * DAY_MS);
      expect(both.client?.starts_at).toBe(both.current_period_end);
    },
  );

  test('and say is mine takes the place of what I have not paid for', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me);
    await activateSubscription(me, id);
    const { id: other } = await createAgreement(me, { payer_id: 'MYOTHERSELF12' });
    await activateSubscription(me, other);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await getPayPalState(other)).toMatchObject({ status: 'ACTIVE' });
  });

  test('and that begins much later is kept to be ended, and changes nothing that I see', async () => {
    const { me } = await createMember();
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    const before = await getSubscription(me);
    const start = iso(Date.now() + 300 * DAY_MS);
    const theirs = await createPayPalSubscription(me, {
      payer_id: 'STRANGER12345',
      start_time: start,
      next_billing_time: start,
    });
    await deliverEvents(await activated(theirs));
    expect(await getSubscription(me)).toEqual(before);
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    expect(await getPayPalState(theirs)).toMatchObject({ status: 'CANCELLED' });
    expect(await getSubscription(me)).toEqual(before);
  });
});

describe('Two subscriptions of mine', () => {
  test('of which the browser did not say anything are one too many all the same', async () => {
    const { me, id } = await createMember();
    const { id: newer } = await createAgreement(me);
    await deliverEvents(await activated(newer));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await getPayPalState(newer)).toMatchObject({ status: 'ACTIVE' });
  });

  test('of which the newer is to begin leave me the older until it does', async () => {
    const { me, id } = await createMember();
    const start = iso(Date.now() + 20 * DAY_MS);
    const next = await createPayPalSubscription(me, { start_time: start, next_billing_time: start });
    expect((await activateSubscription(me, next)).status).toBe(200);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
    await shiftUserTime(me, DAY_MS);
    await updatePayPalSubscription(next, { start_time: iso(Date.now() - 60_000) });
    await pay(next);
    await settle(next);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('of which the older could not be cancelled at once: it is, as soon as PayPal answers', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'cancel', status: 503, times: 1 }] });
    const { id: newer } = await createAgreement(me);
    await activateSubscription(me, newer);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
    await settle(id);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });
});

test('Where PayPal cannot say what became of one that I cancel, the other is cancelled all the same', async () => {
  const { me, id } = await createMember();
  const other = await createPayPalSubscription(me, { payer_id: 'STRANGER12345' });
  await deliverEvents(await activated(other));
  await deliverEvents((await pay(other)).event);
  await updatePayPalSubscription(other, { troubles: [{ at: 'show', status: 503 }] });
  const cancel = () => me.call('/api/subscription/downgrade', { method: 'POST' });
  const lines = await logged('downgrade_failed', async () => expect((await cancel()).status).toBe(502));
  expect(lines).toHaveLength(1);
  expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  await updatePayPalSubscription(other, { troubles: [] });
  expect((await cancel()).status).toBe(200);
  expect(await getPayPalState(other)).toMatchObject({ status: 'CANCELLED' });
});

describe('What I agreed to', () => {
  test('is not changed by a first payment of one cent: it buys nothing, and the operator is told', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me);
    await activateSubscription(me, id);
    const lines = await logged('payment_too_small', async () => {
      await deliverEvents((await pay(id, { value: '0.01' })).event);
      await settle(id);
    });
    expect(lines).toHaveLength(1);
    expect(await listPayments(me)).toMatchObject([{ amount_cents: 1 }]);
    await shiftUserTime(me, 1.1 * DAY_MS);
    await updatePayPalSubscription(id, { start_time: iso(Date.now() - 1.1 * DAY_MS) });
    await settle(id);
    expect(await getPlan(me)).toBe('free');
    // A whole one does.
    await deliverEvents((await pay(id)).event);
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('is not changed by the operator, who asks more of whoever begins now', async () => {
    const { me, id } = await createMember();
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify({ storyteller_price_cents: 999 }));
    clearRuntimeConfigCache(env);
    await shiftUserTime(me, 30 * DAY_MS);
    await deliverEvents((await pay(id)).event);
    await shiftUserTime(me, 20 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await getSubscription(me)).toMatchObject({ price_cents: 699 });
  });

  test('and never pay for is mine for a day, and no month', async () => {
    const me = await createAccount();
    const next = iso(Date.now() + 30 * DAY_MS);
    const id = await createPayPalSubscription(me, { next_billing_time: next });
    await activateSubscription(me, id);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 1.1 * DAY_MS);
    await updatePayPalSubscription(id, { start_time: iso(Date.now() - 1.1 * DAY_MS) });
    await settle(id);
    await reconcileSubscriptions(env, Date.now());
    expect(await getPlan(me)).toBe('free');
  });

  test('is mine by PayPal’s own word where it lists no payments and tells of none', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, {
      next_billing_time: iso(Date.now() + 30 * DAY_MS),
      troubles: [{ at: 'transactions', status: 404 }],
    });
    await activateSubscription(me, id);
    await shiftUserTime(me, 29 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
  });
});

describe('What is not sold here', () => {
  test('is cancelled at PayPal also when its browser was closed, and the operator is told by its number', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { plan_id: 'P-OLDPLAN0000000' });
    const lines = await logged('subscription_refused', () => deliverEvents(event));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(id);
    expect(await readSubscriptionRow(id)).toBeNull();
  });

  test('is cancelled also where PayPal does not answer at first', async () => {
    const me = await createAccount();
    const { id } = await createAgreement(me, {
      plan_id: 'P-OLDPLAN0000000',
      troubles: [{ at: 'cancel', status: 503, times: 1 }],
    });
    expect((await activateSubscription(me, id)).status).toBe(422);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
    expect((await activateSubscription(me, id)).status).toBe(422);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('is not billed for an account that is gone', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me);
    await deleteAccount(me);
    const lines = await logged('subscription_refused', () => deliverEvents(event));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(lines[0]).toContain(id);
    // That it is over is no news.
    const again = await performPayPalAction(id, 'cancel');
    expect(await logged('subscription_refused', () => deliverEvents(again.event))).toEqual([]);
  });

  test.each([
    ['whatever its plan', { plan_id: 'P-OLDPLAN0000000' }],
    ['whatever its price', { price: { currency_code: 'USD', value: '9.99' } }],
    ['also before it begins', { start_time: iso(Date.now() + 20 * DAY_MS) }],
  ])('is not billed for an account that is gone, %s', async (_, atPayPal) => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, atPayPal);
    await deleteAccount(me);
    await deliverEvents(await activated(id));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test.each([
    ['our own plan', {}],
    ['any other plan', { plan_id: 'P-OLDPLAN0000000' }],
  ])(
    'but of a member of another site with the same PayPal account, is left alone, by %s, and the operator is told',
    async (_, atPayPal) => {
      const { id, event } = await createAgreement({ id: createId(Date.now()) }, atPayPal);
      const lines = await logged('subscription_refused', () => deliverEvents(event));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(id);
      expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
      expect(await readSubscriptionRow(id)).toBeNull();
    },
  );

  test('is left alone as well once nobody knows any more that its account was here', async () => {
    const me = await createAccount();
    await deleteAccount(me);
    const db = openDatabase(env.DB);
    const isKnown = () => isDeletedAccount(db, me.id);
    await removeExpiredTokens(db, Date.now() + 399 * DAY_MS);
    expect(await isKnown()).toBe(true);
    await removeExpiredTokens(db, Date.now() + 401 * DAY_MS);
    expect(await isKnown()).toBe(false);
    const { id, event } = await createAgreement(me);
    await deliverEvents(event);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('but somewhere else, for nobody here, is left alone', async () => {
    const { id, event } = await createAgreement({ id: 'order 17' }, { plan_id: 'P-SOMETHINGELSE' });
    await deliverEvents(event);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
  });
});

test('That PayPal told of mine before my browser did changes nothing', async () => {
  const me = await createAccount();
  const { id, event } = await createAgreement(me);
  await deliverEvents(event);
  expect(await getPlan(me)).toBe('storyteller');
  expect((await activateSubscription(me, id)).status).toBe(200);
  const asked = (await getPayPalState(id)).calls.length;
  expect((await activateSubscription(me, id)).status).toBe(200);
  expect((await getPayPalState(id)).calls.length).toBe(asked);
  await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: id }, Date.now());
  await settle(id);
  expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
});
