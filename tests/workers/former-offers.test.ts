import { OFFER_GRACE_MS } from '../../src/features/runtime-config/offers.ts';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handleDuePaymentEvents } from '../../src/services/process-payment-events.ts';
import { createBillingContext, reconcileSubscription } from '../../src/services/reconcile-subscription.ts';
import { openDatabase } from '../../src/db/open.ts';
import { readEnvironment } from '../../src/env/read-environment.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
  OFFERS_KV_KEY,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  getSubscription,
  getPlan,
  deliverEvents as toldOf,
} from '../support/memberships.ts';
import { createAccount, type Visitor } from '../support/factories.ts';
import { readSubscriptionRow, pay, getPayPalState } from '../support/paypal.ts';

const told = async (response: Response) => [response.status, await response.json()];
const refused = (status: number, code: string) => [status, expect.objectContaining({ code })];
const member = (price_cents: number) => [
  200,
  expect.objectContaining({ plan: 'storyteller', status: 'active', price_cents }),
];
const dollars = (value: string) => ({ price: { currency_code: 'USD', value } });
const atPayPal = async (id: string) => (await getPayPalState(id)).status;
const MINUTE_MS = 60_000;

/** Somebody of the operator's changes what is for sale, on another machine. */
async function sells(change: Record<string, number | string | null>): Promise<void> {
  const me = await createAccount();
  const admin = new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
  await admin.ask('/api/admin/business', { method: 'PUT', json: change });
  clearRuntimeConfigCache(env);
}

/** Settles the books of a subscription on a site that its operator has set up otherwise. */
async function settledWith(variables: Record<string, unknown>, id: string) {
  const there = { ...env, ...variables } as Env;
  const cashier = await createBillingContext(there, openDatabase(env.DB), readEnvironment(there));
  if (cashier === null) throw new Error('PayPal is not set up');
  return reconcileSubscription(cashier, id);
}

/** A machine that has read nothing yet, and where KV does not answer until it does again. */
function withoutKv() {
  const state = { isAway: true };
  const get = async (key: string) => {
    if (state.isAway) throw new Error('KV is away');
    return env.KV.get(key);
  };
  return { state, variables: { KV: { get } as unknown as KVNamespace } };
}

async function asItWas(): Promise<void> {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  await env.KV.delete(OFFERS_KV_KEY);
  clearRuntimeConfigCache(env);
}
beforeEach(asItWas);
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await asItWas();
});

describe('While I was at PayPal’s window the operator changed what is for sale:', () => {
  test.each<[string, Record<string, number | string>]>([
    ['the price', { storyteller_price_cents: 999 }],
    ['the plan', { storyteller_paypal_plan: 'P-NEWPLAN000000' }],
    ['both', { storyteller_price_cents: 499, storyteller_paypal_plan: 'P-NEWPLAN000000' }],
  ])('with %s changed I have what I agreed to, and every month costs what it did', async (_, change) => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    await sells(change);
    expect(await told(await activateSubscription(me, id))).toEqual(member(699));
    expect(await atPayPal(id)).toBe('ACTIVE');
    await shiftUserTime(me, 30 * DAY_MS);
    await toldOf((await pay(id)).event);
    await shiftUserTime(me, 20 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await getSubscription(me)).toMatchObject({ price_cents: 699 });
  });

  test('it is mine also when my browser was closed and PayPal tells of it', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me);
    await sells({ storyteller_price_cents: 999, storyteller_paypal_plan: 'P-NEWPLAN000000' });
    await toldOf(event);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', price_cents: 699 });
    expect(await atPayPal(id)).toBe('ACTIVE');
  });

  test.each([
    ['I say that it is mine', async (me: Visitor, id: string) => activateSubscription(me, id)],
    ['PayPal tells of it', async (_: Visitor, id: string) => settledWith({}, id)],
  ])('it costs what it did also where PayPal tells no price, and %s', async (_, begins) => {
    const me = await createAccount();
    const { id } = await createAgreement(me, { price: null });
    await sells({ storyteller_price_cents: 999 });
    await begins(me, id);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', price_cents: 699 });
  });

  test('changed several times, each of these offers is kept to', async () => {
    const [first, second] = [await createAccount(), await createAccount()];
    const one = await createAgreement(first);
    await sells({ storyteller_price_cents: 799 });
    const two = await createAgreement(second, dollars('7.99'));
    await sells({ storyteller_paypal_plan: 'P-NEWPLAN000000', storyteller_price_cents: 999 });
    await sells({ refill_hours: 4 });
    expect(await told(await activateSubscription(first, one.id))).toEqual(member(699));
    expect(await told(await activateSubscription(second, two.id))).toEqual(member(799));
  });

  test('taken off sale, it is mine all the same', async () => {
    await sells({ storyteller_paypal_plan: 'P-ONLYPLAN00000' });
    const [me, other] = [await createAccount(), await createAccount()];
    const { id } = await createAgreement(me, { plan_id: 'P-ONLYPLAN00000' });
    const { id: unsaid } = await createAgreement(other, { plan_id: 'P-ONLYPLAN00000' });
    await sells({ storyteller_paypal_plan: null });
    const unsold = { PAYPAL_PLAN_STORYTELLER: '' };
    expect(await told(await activateSubscription(new ConfiguredVisitor(unsold, me), id))).toEqual(
      member(699),
    );
    // PayPal tells of the other.
    await settledWith(unsold, unsaid);
    expect(await getPlan(other)).toBe('storyteller');
  });

  test('I have hours to come back, and no days', async () => {
    const [me, late] = [await createAccount(), await createAccount()];
    const [{ id }, { id: tooLate }] = [await createAgreement(me), await createAgreement(late)];
    const now = Date.now();
    await sells({ storyteller_price_cents: 999 });
    vi.useFakeTimers({ toFake: ['Date'], now: now + OFFER_GRACE_MS - MINUTE_MS });
    expect(await told(await activateSubscription(me, id))).toEqual(member(699));
    vi.setSystemTime(now + OFFER_GRACE_MS + MINUTE_MS);
    expect(await told(await activateSubscription(late, tooLate))).toEqual(
      refused(422, 'subscription_wrong_price'),
    );
    expect(await atPayPal(tooLate)).toBe('CANCELLED');
    expect(await atPayPal(id)).toBe('ACTIVE');
    // KV lets it go by itself.
    const [key] = (await env.KV.list({ prefix: OFFERS_KV_KEY })).keys;
    expect((key?.expiration ?? 0) * 1000).toBeGreaterThan(now + OFFER_GRACE_MS - MINUTE_MS);
    expect((key?.expiration ?? 0) * 1000).toBeLessThan(now + OFFER_GRACE_MS + MINUTE_MS);
  });

  test('a machine that has not heard of the change takes what is for sale now as well', async () => {
    await sells({ storyteller_price_cents: 999 });
    const KV = {
      get: async (key: string) => (key === RUNTIME_CONFIG_KV_KEY ? null : env.KV.get(key)),
    } as unknown as KVNamespace;
    const me = await createAccount();
    const { id } = await createAgreement(me, dollars('9.99'));
    expect(await told(await activateSubscription(new ConfiguredVisitor({ KV }, me), id))).toEqual(
      member(999),
    );
  });
});

describe('What was never for sale here is refused also right after a change, and is cancelled at PayPal:', () => {
  const OLD_PLAN = 'P-OLDPLAN000000';
  test.each<[string, string, { currency_code: string; value: string }, string]>([
    ['the new plan at the old price', 'P-NEWPLAN000000', dollars('6.99').price, 'subscription_wrong_price'],
    ['the old plan at the new price', OLD_PLAN, dollars('9.99').price, 'subscription_wrong_plan'],
    ['the old plan at a price of a cent', OLD_PLAN, dollars('0.01').price, 'subscription_wrong_plan'],
    ['another plan at the old price', 'P-CHEAPER0000000', dollars('6.99').price, 'subscription_wrong_plan'],
    [
      'the old plan in another currency',
      OLD_PLAN,
      { currency_code: 'EUR', value: '6.99' },
      'subscription_wrong_currency',
    ],
  ])('%s', async (_, plan_id, price, code) => {
    await sells({ storyteller_paypal_plan: OLD_PLAN });
    await sells({ storyteller_paypal_plan: 'P-NEWPLAN000000', storyteller_price_cents: 999 });
    const me = await createAccount();
    const { id, event } = await createAgreement(me, { plan_id, price });
    expect(await told(await activateSubscription(me, id))).toEqual(refused(422, code));
    expect(await getPlan(me)).toBe('free');
    expect(await atPayPal(id)).toBe('CANCELLED');
    await toldOf(event);
    expect(await readSubscriptionRow(id)).toBeNull();
  });

  test.each([
    ['broken text', '[{"paypal_plan":'],
    ['something of another shape', '{"paypal_plan":null,"price_cents":1,"until":9e15}'],
    ['values of another kind', '[null,7,"x",[],{"paypal_plan":7},{"price_cents":"1","until":9e15}]'],
  ])('also while %s stands in KV in the place of former offers', async (_, text) => {
    await env.KV.put(OFFERS_KV_KEY, text);
    const me = await createAccount();
    const { id } = await createAgreement(me, dollars('0.01'));
    expect(await told(await activateSubscription(me, id))).toEqual(refused(422, 'subscription_wrong_price'));
    expect(await atPayPal(id)).toBe('CANCELLED');
    // The next change is written down as if nothing had been there.
    const { id: good } = await createAgreement(me);
    await sells({ storyteller_price_cents: 999 });
    expect(await told(await activateSubscription(me, good))).toEqual(member(699));
  });
});

describe('Where nobody can read what was for sale', () => {
  /** Somebody who has agreed to what an operator set long ago. */
  async function agreedLongAfter() {
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify({ storyteller_price_cents: 999 }));
    const me = await createAccount();
    return { me, ...(await createAgreement(me, dollars('9.99'))) };
  }

  test('nothing of mine is cancelled: I am to try again, and as soon as it can be read it is mine', async () => {
    const { me, id } = await agreedLongAfter();
    const { state, variables } = withoutKv();
    const mine = new ConfiguredVisitor(variables, me);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await told(await activateSubscription(mine, id))).toEqual(refused(502, 'paypal_unavailable'));
    expect(log.mock.calls.flat().join()).toContain('nobody knows what was for sale');
    expect(await atPayPal(id)).toBe('ACTIVE');
    // The machine goes by the defaults still, and looks again before it refuses.
    state.isAway = false;
    expect(await told(await activateSubscription(mine, id))).toEqual(member(999));
  });

  test('it is mine by itself once it can be read, should I not come back', async () => {
    const { me, id } = await agreedLongAfter();
    const { variables } = withoutKv();
    vi.spyOn(console, 'error').mockReturnValue();
    await activateSubscription(new ConfiguredVisitor(variables, me), id);
    await expect(settledWith(variables, id)).rejects.toThrow('nobody knows what was for sale');
    expect(await atPayPal(id)).toBe('ACTIVE');
    await env.DB.prepare('update payment_events set try_at = 1 where subscription_id = ?').bind(id).run();
    await handleDuePaymentEvents(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', price_cents: 999 });
  });
});

test('What is for sale now is taken without another look at what was', async () => {
  const reads: string[] = [];
  const KV = {
    get: async (key: string) => {
      reads.push(key);
      return null;
    },
  } as unknown as KVNamespace;
  const me = await createAccount();
  const { id } = await createAgreement(me);
  expect(await told(await activateSubscription(new ConfiguredVisitor({ KV }, me), id))).toEqual(member(699));
  expect(reads).toEqual([RUNTIME_CONFIG_KV_KEY]);
});
