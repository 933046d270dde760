import { OFFER_GRACE_MS } from '../../../../src/features/runtime-config/offers.ts';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handleDuePaymentEvents } from '../../../../src/services/process-payment-events.ts';
import {
  createBillingContext,
  reconcileSubscription,
} from '../../../../src/services/reconcile-subscription.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { readEnvironment } from '../../../../src/env/read-environment.ts';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
  OFFERS_KV_KEY,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import {
  activateSubscription,
  createAgreement,
  DAY_MS,
  shiftUserTime,
  getSubscription,
  getPlan,
  deliverEvents as toldOf,
} from '../../../support/memberships.ts';
import { createAccount, type Visitor } from '../../../support/factories.ts';
import { readSubscriptionRow, pay, getPayPalState } from '../../../support/paypal.ts';

const readAnswer = async (response: Response) => [response.status, await response.json()];
const buildRefusal = (status: number, code: string) => [status, expect.objectContaining({ code })];
const buildMember = (price_cents: number) => [
  200,
  expect.objectContaining({ plan: 'storyteller', status: 'active', price_cents }),
];
const buildPrice = (value: string) => ({ price: { currency_code: 'USD', value } });
const readPayPalStatus = async (id: string) => (await getPayPalState(id)).status;
const MINUTE_MS = 60_000;

/** Changes the offer as a staff user does on another instance. */
async function changeOffer(change: Record<string, number | string | null>): Promise<void> {
  const me = await createAccount();
  const admin = new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
  await admin.ask('/api/admin/business', { method: 'PUT', json: change });
  clearRuntimeConfigCache(env);
}

/** Reconciles a subscription with these environment variables. */
async function reconcileWith(variables: Record<string, unknown>, id: string) {
  const configuredEnv = { ...env, ...variables } as Env;
  const billing = await createBillingContext(
    configuredEnv,
    openDatabase(env.DB),
    readEnvironment(configuredEnv),
  );
  if (billing === null) throw new Error('PayPal is not set up');
  return reconcileSubscription(billing, id);
}

/** Returns an instance with an empty cache whose KV fails until it is switched back on. */
function createFailingKv() {
  const state = { isAway: true };
  const get = async (key: string) => {
    if (state.isAway) throw new Error('KV is away');
    return env.KV.get(key);
  };
  return { state, variables: { KV: { get } as unknown as KVNamespace } };
}

async function resetOffers(): Promise<void> {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  await env.KV.delete(OFFERS_KV_KEY);
  clearRuntimeConfigCache(env);
}
beforeEach(resetOffers);
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await resetOffers();
});

describe('Offer changed during the PayPal checkout', () => {
  test.each<[string, Record<string, number | string>]>([
    ['the price', { storyteller_price_cents: 999 }],
    ['the plan', { storyteller_paypal_plan: 'P-NEWPLAN000000' }],
    ['both', { storyteller_price_cents: 499, storyteller_paypal_plan: 'P-NEWPLAN000000' }],
  ])('a subscription agreed to before %s changed is accepted and keeps its price', async (_, change) => {
    const me = await createAccount();
    const { id } = await createAgreement(me);
    await changeOffer(change);
    expect(await readAnswer(await activateSubscription(me, id))).toEqual(buildMember(699));
    expect(await readPayPalStatus(id)).toBe('ACTIVE');
    await shiftUserTime(me, 30 * DAY_MS);
    await toldOf((await pay(id)).event);
    await shiftUserTime(me, 20 * DAY_MS);
    expect(await getPlan(me)).toBe('storyteller');
    expect(await getSubscription(me)).toMatchObject({ price_cents: 699 });
  });

  test('a former offer is also accepted when only PayPal reports the subscription', async () => {
    const me = await createAccount();
    const { id, event } = await createAgreement(me);
    await changeOffer({ storyteller_price_cents: 999, storyteller_paypal_plan: 'P-NEWPLAN000000' });
    await toldOf(event);
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', price_cents: 699 });
    expect(await readPayPalStatus(id)).toBe('ACTIVE');
  });

  test.each([
    ['the user activates it', async (me: Visitor, id: string) => activateSubscription(me, id)],
    ['PayPal reports it', async (_: Visitor, id: string) => reconcileWith({}, id)],
  ])(
    'a subscription without a price from PayPal costs the former price when %s',
    async (_, startSubscription) => {
      const me = await createAccount();
      const { id } = await createAgreement(me, { price: null });
      await changeOffer({ storyteller_price_cents: 999 });
      await startSubscription(me, id);
      expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', price_cents: 699 });
    },
  );

  test('each of several former offers is still accepted', async () => {
    const [first, second] = [await createAccount(), await createAccount()];
    const one = await createAgreement(first);
    await changeOffer({ storyteller_price_cents: 799 });
    const two = await createAgreement(second, buildPrice('7.99'));
    await changeOffer({ storyteller_paypal_plan: 'P-NEWPLAN000000', storyteller_price_cents: 999 });
    await changeOffer({ refill_hours: 4 });
    expect(await readAnswer(await activateSubscription(first, one.id))).toEqual(buildMember(699));
    expect(await readAnswer(await activateSubscription(second, two.id))).toEqual(buildMember(799));
  });

  test('a plan that was taken off sale during the checkout is accepted', async () => {
    await changeOffer({ storyteller_paypal_plan: 'P-ONLYPLAN00000' });
    const [me, other] = [await createAccount(), await createAccount()];
    const { id } = await createAgreement(me, { plan_id: 'P-ONLYPLAN00000' });
    const { id: reportedId } = await createAgreement(other, { plan_id: 'P-ONLYPLAN00000' });
    await changeOffer({ storyteller_paypal_plan: null });
    const withoutPlan = { PAYPAL_PLAN_STORYTELLER: '' };
    expect(await readAnswer(await activateSubscription(new ConfiguredVisitor(withoutPlan, me), id))).toEqual(
      buildMember(699),
    );
    // PayPal reports the other subscription.
    await reconcileWith(withoutPlan, reportedId);
    expect(await getPlan(other)).toBe('storyteller');
  });

  test('a former offer is accepted for a few hours only', async () => {
    const [me, late] = [await createAccount(), await createAccount()];
    const [{ id }, { id: tooLate }] = [await createAgreement(me), await createAgreement(late)];
    const now = Date.now();
    await changeOffer({ storyteller_price_cents: 999 });
    vi.useFakeTimers({ toFake: ['Date'], now: now + OFFER_GRACE_MS - MINUTE_MS });
    expect(await readAnswer(await activateSubscription(me, id))).toEqual(buildMember(699));
    vi.setSystemTime(now + OFFER_GRACE_MS + MINUTE_MS);
    expect(await readAnswer(await activateSubscription(late, tooLate))).toEqual(
      buildRefusal(422, 'subscription_wrong_price'),
    );
    expect(await readPayPalStatus(tooLate)).toBe('CANCELLED');
    expect(await readPayPalStatus(id)).toBe('ACTIVE');
    // KV expires the entry by itself.
    const [key] = (await env.KV.list({ prefix: OFFERS_KV_KEY })).keys;
    expect((key?.expiration ?? 0) * 1000).toBeGreaterThan(now + OFFER_GRACE_MS - MINUTE_MS);
    expect((key?.expiration ?? 0) * 1000).toBeLessThan(now + OFFER_GRACE_MS + MINUTE_MS);
  });

  test('an instance with the old configuration in its cache accepts the new price as well', async () => {
    await changeOffer({ storyteller_price_cents: 999 });
    const KV = {
      get: async (key: string) => (key === RUNTIME_CONFIG_KV_KEY ? null : env.KV.get(key)),
    } as unknown as KVNamespace;
    const me = await createAccount();
    const { id } = await createAgreement(me, buildPrice('9.99'));
    expect(await readAnswer(await activateSubscription(new ConfiguredVisitor({ KV }, me), id))).toEqual(
      buildMember(999),
    );
  });
});

describe('Offers that were never for sale', () => {
  const OLD_PLAN = 'P-OLDPLAN000000';
  test.each<[string, string, { currency_code: string; value: string }, string]>([
    [
      'the new plan at the old price',
      'P-NEWPLAN000000',
      buildPrice('6.99').price,
      'subscription_wrong_price',
    ],
    ['the old plan at the new price', OLD_PLAN, buildPrice('9.99').price, 'subscription_wrong_plan'],
    ['the old plan at a price of a cent', OLD_PLAN, buildPrice('0.01').price, 'subscription_wrong_plan'],
    [
      'another plan at the old price',
      'P-CHEAPER0000000',
      buildPrice('6.99').price,
      'subscription_wrong_plan',
    ],
    [
      'the old plan in another currency',
      OLD_PLAN,
      { currency_code: 'EUR', value: '6.99' },
      'subscription_wrong_currency',
    ],
  ])(
    'an offer that was never for sale is refused after a change and cancelled at PayPal: %s',
    async (_, plan_id, price, code) => {
      await changeOffer({ storyteller_paypal_plan: OLD_PLAN });
      await changeOffer({ storyteller_paypal_plan: 'P-NEWPLAN000000', storyteller_price_cents: 999 });
      const me = await createAccount();
      const { id, event } = await createAgreement(me, { plan_id, price });
      expect(await readAnswer(await activateSubscription(me, id))).toEqual(buildRefusal(422, code));
      expect(await getPlan(me)).toBe('free');
      expect(await readPayPalStatus(id)).toBe('CANCELLED');
      await toldOf(event);
      expect(await readSubscriptionRow(id)).toBeNull();
    },
  );

  test.each([
    ['broken text', '[{"paypal_plan":'],
    ['something of another shape', '{"paypal_plan":null,"price_cents":1,"until":9e15}'],
    ['values of another kind', '[null,7,"x",[],{"paypal_plan":7},{"price_cents":"1","until":9e15}]'],
  ])('a wrong price is refused while KV holds %s instead of the former offers', async (_, text) => {
    await env.KV.put(OFFERS_KV_KEY, text);
    const me = await createAccount();
    const { id } = await createAgreement(me, buildPrice('0.01'));
    expect(await readAnswer(await activateSubscription(me, id))).toEqual(
      buildRefusal(422, 'subscription_wrong_price'),
    );
    expect(await readPayPalStatus(id)).toBe('CANCELLED');
    // The next change replaces the invalid value.
    const { id: good } = await createAgreement(me);
    await changeOffer({ storyteller_price_cents: 999 });
    expect(await readAnswer(await activateSubscription(me, good))).toEqual(buildMember(699));
  });
});

describe('Offers while KV is unavailable', () => {
  /** Creates a user who agreed to an offer that was configured long ago. */
  async function agreeToOldOffer() {
    await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify({ storyteller_price_cents: 999 }));
    const me = await createAccount();
    return { me, ...(await createAgreement(me, buildPrice('9.99'))) };
  }

  test('an offer that cannot be looked up is not cancelled, and a later attempt accepts it', async () => {
    const { me, id } = await agreeToOldOffer();
    const { state, variables } = createFailingKv();
    const visitor = new ConfiguredVisitor(variables, me);
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await readAnswer(await activateSubscription(visitor, id))).toEqual(
      buildRefusal(502, 'paypal_unavailable'),
    );
    expect(log.mock.calls.flat().join()).toContain('nobody knows what was for sale');
    expect(await readPayPalStatus(id)).toBe('ACTIVE');
    // The instance still uses the defaults and reads KV again before it refuses.
    state.isAway = false;
    expect(await readAnswer(await activateSubscription(visitor, id))).toEqual(buildMember(999));
  });

  test('an offer that cannot be looked up is accepted later without the user', async () => {
    const { me, id } = await agreeToOldOffer();
    const { variables } = createFailingKv();
    vi.spyOn(console, 'error').mockReturnValue();
    await activateSubscription(new ConfiguredVisitor(variables, me), id);
    await expect(reconcileWith(variables, id)).rejects.toThrow('nobody knows what was for sale');
    expect(await readPayPalStatus(id)).toBe('ACTIVE');
    await env.DB.prepare('update payment_events set retry_at = 1 where subscription_id = ?').bind(id).run();
    await handleDuePaymentEvents(env, Date.now());
    expect(await getSubscription(me)).toMatchObject({ plan: 'storyteller', price_cents: 999 });
  });
});

test('a current offer is accepted without reading the former ones', async () => {
  const reads: string[] = [];
  const KV = {
    get: async (key: string) => {
      reads.push(key);
      return null;
    },
  } as unknown as KVNamespace;
  const me = await createAccount();
  const { id } = await createAgreement(me);
  expect(await readAnswer(await activateSubscription(new ConfiguredVisitor({ KV }, me), id))).toEqual(
    buildMember(699),
  );
  expect(reads).toEqual([RUNTIME_CONFIG_KV_KEY]);
});
