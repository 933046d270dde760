import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { reconcileSubscriptions } from '../../../../src/services/process-payment-events.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { isDeletedAccount, removeExpiredTokens } from '../../../../src/features/account/used-token-store.ts';
import { saveClaim } from '../../../../src/features/billing/payment-event-store.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { deleteAccount } from '../../../support/account-deletion.ts';
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
} from '../../../support/memberships.ts';
import { ORIGIN, createAccount } from '../../../support/factories.ts';
import {
  createPayPalSubscription,
  readSubscriptionRow,
  updatePayPalSubscription,
  performPayPalAction,
  pay,
  getPayPalState,
  createSignedEvent,
} from '../../../support/paypal.ts';

const toIso = (at: number) => new Date(at).toISOString();
const settle = (id: string) => reconcileAt(ORIGIN, id);
const createActivationEvent = (id: string) =>
  createSignedEvent({ kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription: id });

/** Runs `work` and returns the error log lines of this event. */
async function collectErrors(event: string, work: () => Promise<unknown>): Promise<string[]> {
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

describe("Subscription that a stranger agreed to in a user's name", () => {
  test("a stranger's subscription in a user's name ends none of the user's own, whether paid or not", async () => {
    const { me, id } = await createMember();
    const foreignId = await createPayPalSubscription(me, { payer_id: 'STRANGER12345' });
    const lines = await collectErrors('duplicate_payment', async () => {
      await deliverEvents(await createActivationEvent(foreignId));
      await deliverEvents((await pay(foreignId)).event);
      await settle(foreignId);
      await settle(id);
    });
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
    // The operator gets one error about the two subscriptions.
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(foreignId);
  });

  test.each([
    ['PayPal does not name the payer', null, null],
    ['the stranger pays for it', undefined, 'STRANGER12345'],
  ])(
    "a foreign subscription ends none of the user's when %s, and adds its month once the user claims it",
    async (_, ownPayer, foreignPayer) => {
      const me = await createAccount();
      const { id } = await createAgreement(me, ownPayer === undefined ? {} : { payer_id: ownPayer });
      await activateSubscription(me, id);
      const first = await getSubscription(me);
      const { id: foreignId } = await createAgreement(me, { payer_id: foreignPayer });
      expect((await activateSubscription(await createAccount(), foreignId)).status).toBe(403);
      await deliverEvents(await createActivationEvent(foreignId));
      await settle(foreignId);
      expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
      expect((await activateSubscription(me, foreignId)).status).toBe(200);
      await settle(id);
      expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
      const afterClaim = await getSubscription(me);
      const readPeriodEnd = (view: typeof afterClaim) => Date.parse(view.current_period_end ?? '');
      expect(readPeriodEnd(afterClaim) - readPeriodEnd(first)).toBeGreaterThanOrEqual(27 * DAY_MS);
      expect(afterClaim.client?.starts_at).toBe(afterClaim.current_period_end);
    },
  );

  test('a claimed subscription replaces an earlier one that was never paid', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me);
    await activateSubscription(me, id);
    const { id: other } = await createAgreement(me, { payer_id: 'MYOTHERSELF12' });
    await activateSubscription(me, other);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await getPayPalState(other)).toMatchObject({ status: 'ACTIVE' });
  });

  test('a foreign subscription that starts much later is hidden from the user and ended by a cancellation', async () => {
    const { me } = await createMember();
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    const before = await getSubscription(me);
    const start = toIso(Date.now() + 300 * DAY_MS);
    const foreignId = await createPayPalSubscription(me, {
      payer_id: 'STRANGER12345',
      start_time: start,
      next_billing_time: start,
    });
    await deliverEvents(await createActivationEvent(foreignId));
    expect(await getSubscription(me)).toEqual(before);
    await me.ask('/api/subscription/downgrade', { method: 'POST' });
    expect(await getPayPalState(foreignId)).toMatchObject({ status: 'CANCELLED' });
    expect(await getSubscription(me)).toEqual(before);
  });
});

describe('Two subscriptions of one user', () => {
  test('a second subscription that only PayPal reported replaces the first one', async () => {
    const { me, id } = await createMember();
    const { id: newer } = await createAgreement(me);
    await deliverEvents(await createActivationEvent(newer));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await getPayPalState(newer)).toMatchObject({ status: 'ACTIVE' });
  });

  test('a subscription that starts later leaves the older one active until then', async () => {
    const { me, id } = await createMember();
    const start = toIso(Date.now() + 20 * DAY_MS);
    const next = await createPayPalSubscription(me, { start_time: start, next_billing_time: start });
    expect((await activateSubscription(me, next)).status).toBe(200);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
    await shiftUserTime(me, DAY_MS);
    await updatePayPalSubscription(next, { start_time: toIso(Date.now() - 60_000) });
    await pay(next);
    await settle(next);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('an older subscription that could not be cancelled at once is cancelled when PayPal answers', async () => {
    const { me, id } = await createMember();
    await updatePayPalSubscription(id, { troubles: [{ at: 'cancel', status: 503, times: 1 }] });
    const { id: newer } = await createAgreement(me);
    await activateSubscription(me, newer);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
    await settle(id);
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });
});

test('cancelling continues with other subscriptions when PayPal fails for one of them', async () => {
  const { me, id } = await createMember();
  const other = await createPayPalSubscription(me, { payer_id: 'STRANGER12345' });
  await deliverEvents(await createActivationEvent(other));
  await deliverEvents((await pay(other)).event);
  await updatePayPalSubscription(other, { troubles: [{ at: 'show', status: 503 }] });
  const requestCancellation = () => me.call('/api/subscription/downgrade', { method: 'POST' });
  const lines = await collectErrors('downgrade_failed', async () =>
    expect((await requestCancellation()).status).toBe(502),
  );
  expect(lines).toHaveLength(1);
  expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  await updatePayPalSubscription(other, { troubles: [] });
  expect((await requestCancellation()).status).toBe(200);
  expect(await getPayPalState(other)).toMatchObject({ status: 'CANCELLED' });
});

describe('Agreed price', () => {
  test('a first payment of one cent buys nothing and alerts the operator', async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me);
    await activateSubscription(me, id);
    const lines = await collectErrors('payment_too_small', async () => {
      await deliverEvents((await pay(id, { value: '0.01' })).event);
      await settle(id);
    });
    expect(lines).toHaveLength(1);
    expect(await listPayments(me)).toMatchObject([{ amount_cents: 1 }]);
    await shiftUserTime(me, 1.1 * DAY_MS);
    await updatePayPalSubscription(id, { start_time: toIso(Date.now() - 1.1 * DAY_MS) });
    await settle(id);
    expect(await getPlan(me)).toBe('free');
    // A full payment does.
    await deliverEvents((await pay(id)).event);
    expect(await getPlan(me)).toBe('storyteller');
  });

  test('a later price change does not affect a running subscription', async () => {
    const { me, id } = await createMember();
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify({ storyteller_price_cents: 999 }));
    clearRuntimeConfigCache(env);
    await shiftUserTime(me, 30 * DAY_MS);
    await deliverEvents((await pay(id)).event);
    await shiftUserTime(me, 20 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await getSubscription(me)).toMatchObject({ price_cents: 699 });
  });

  test('an unpaid subscription counts for a day and not for a month', async () => {
    const me = await createAccount();
    const next = toIso(Date.now() + 30 * DAY_MS);
    const id = await createPayPalSubscription(me, { next_billing_time: next });
    await activateSubscription(me, id);
    expect(await getPlan(me)).toBe('storyteller');
    await shiftUserTime(me, 1.1 * DAY_MS);
    await updatePayPalSubscription(id, { start_time: toIso(Date.now() - 1.1 * DAY_MS) });
    await settle(id);
    await reconcileSubscriptions(env, Date.now());
    expect(await getPlan(me)).toBe('free');
  });

  test("a subscription counts by PayPal's billing date when PayPal lists no payments", async () => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, {
      next_billing_time: toIso(Date.now() + 30 * DAY_MS),
      troubles: [{ at: 'transactions', status: 404 }],
    });
    await activateSubscription(me, id);
    await shiftUserTime(me, 29 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
  });
});

describe('Subscriptions that this site does not sell', () => {
  test('an unknown plan reported by PayPal alone is cancelled, and the operator gets its id', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { plan_id: 'P-OLDPLAN0000000' });
    const lines = await collectErrors('subscription_refused', () => deliverEvents(event));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(id);
    expect(await readSubscriptionRow(id)).toBeNull();
  });

  test('an unknown plan is cancelled on a later attempt when PayPal does not answer at first', async () => {
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

  test('a subscription of a deleted account is cancelled, and the operator gets its id', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me);
    await deleteAccount(me);
    const lines = await collectErrors('subscription_refused', () => deliverEvents(event));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(lines[0]).toContain(id);
    // The notice of the cancellation itself is not logged.
    const cancellation = await performPayPalAction(id, 'cancel');
    expect(await collectErrors('subscription_refused', () => deliverEvents(cancellation.event))).toEqual([]);
  });

  test.each([
    ['whatever its plan', { plan_id: 'P-OLDPLAN0000000' }],
    ['whatever its price', { price: { currency_code: 'USD', value: '9.99' } }],
    ['also before it begins', { start_time: toIso(Date.now() + 20 * DAY_MS) }],
  ])('a subscription of a deleted account is cancelled, %s', async (_, atPayPal) => {
    const me = await createAccount();
    const id = await createPayPalSubscription(me, atPayPal);
    await deleteAccount(me);
    await deliverEvents(await createActivationEvent(id));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test.each([
    ['our own plan', {}],
    ['any other plan', { plan_id: 'P-OLDPLAN0000000' }],
  ])(
    "a subscription of another site's user to %s is left alone, and the operator gets its id",
    async (_, atPayPal) => {
      const { id, event } = await createAgreement({ id: createId(Date.now()) }, atPayPal);
      const lines = await collectErrors('subscription_refused', () => deliverEvents(event));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(id);
      expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
      expect(await readSubscriptionRow(id)).toBeNull();
    },
  );

  test('a subscription is left alone once the record of its deleted account has expired', async () => {
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

  test('a subscription of another product is left alone', async () => {
    const { id, event } = await createAgreement({ id: 'order 17' }, { plan_id: 'P-SOMETHINGELSE' });
    await deliverEvents(event);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
  });
});

test('a subscription that PayPal reports before the browser does is activated once', async () => {
  const me = await createAccount();
  const { id, event } = await createAgreement(me);
  await deliverEvents(event);
  expect(await getPlan(me)).toBe('storyteller');
  expect((await activateSubscription(me, id)).status).toBe(200);
  const callsBefore = (await getPayPalState(id)).calls.length;
  expect((await activateSubscription(me, id)).status).toBe(200);
  expect((await getPayPalState(id)).calls.length).toBe(callsBefore);
  await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: id }, Date.now());
  await settle(id);
  expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', status: 'active' });
});
