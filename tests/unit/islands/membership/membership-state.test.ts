// Over 400 lines: one page's states, each over the same stand-ins of PayPal and the server.
import type { PayPalNamespace, PayPalScriptOptions } from '@paypal/paypal-js';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import type { SubscriptionView } from '../../../../src/features/billing/contract.ts';
import { buildPlans } from '../../../../src/features/billing/plans.ts';
import type { MembershipApi } from '../../../../src/islands/membership/membership-api.ts';
import {
  PLAN_ASPECTS,
  getSubscriptionStart,
  findFeature,
  canRetry,
  canSubscribe,
  canCancel,
  getPaidPeriodEnd,
  getMembershipStatus,
} from '../../../../src/islands/membership/membership-rules.ts';
import { createMembershipStore } from '../../../../src/islands/membership/membership-state.ts';
import { createPayPalLoader, PAYPAL_TIMEOUT_MS } from '../../../../src/islands/membership/paypal-loader.ts';
import { NETWORK_FAILURE, type Failure } from '../../../../src/islands/shared/api.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const LATER = '2026-12-20T12:00:00.000Z';
const CLIENT = {
  client_id: 'client-1',
  sdk_base: 'https://www.paypal.com',
  plan_id: 'P-1',
  custom_id: 'u1',
  starts_at: null,
};
const view = (more: Partial<SubscriptionView> = {}): SubscriptionView => ({
  plan: 'free',
  status: 'none',
  current_period_end: null,
  price_cents: null,
  is_given: false,
  auto_renew: false,
  pending_downgrade: false,
  is_failing: false,
  is_awaited: false,
  is_refunded: false,
  next_payment_at: null,
  begins_at: null,
  client: CLIENT,
  ...more,
});
const MEMBER = view({
  plan: 'storyteller',
  status: 'active',
  current_period_end: LATER,
  auto_renew: true,
});
const LEAVING = view({
  plan: 'storyteller',
  status: 'cancelled',
  current_period_end: LATER,
  pending_downgrade: true,
});
const createRefusal = (status: number, code: string): Failure => ({ ok: false, status, code, error: '' });

describe('Membership status', () => {
  test.each([
    ['free', view(), { joins: true, leaves: false }],
    ['given', view({ plan: 'storyteller' }), { joins: false, leaves: false }],
    ['renewing', MEMBER, { joins: false, leaves: true }],
    ['waiting', view({ status: 'active', auto_renew: true }), { joins: false, leaves: true }],
    ['awaited', { ...MEMBER, is_awaited: true }, { joins: false, leaves: true }],
    ['late', { ...MEMBER, plan: 'free', is_awaited: true }, { joins: false, leaves: true }],
    ['agreed', { ...MEMBER, begins_at: LATER }, { joins: false, leaves: true }],
    ['agreed', view({ status: 'active', begins_at: LATER }), { joins: false, leaves: true }],
    ['refunded', view({ status: 'active', is_refunded: true }), { joins: false, leaves: true }],
    [
      'failing',
      view({ status: 'active', is_refunded: true, is_failing: true }),
      { joins: false, leaves: true },
    ],
    ['renewing', { ...MEMBER, is_given: true, is_awaited: true }, { joins: false, leaves: true }],
    ['failing', { ...MEMBER, is_failing: true }, { joins: false, leaves: true }],
    ['suspended', { ...MEMBER, status: 'suspended' as const }, { joins: false, leaves: true }],
    ['suspended', view({ status: 'suspended', is_failing: true }), { joins: false, leaves: true }],
    ['leaving', LEAVING, { joins: true, leaves: false }],
    ['over', view({ status: 'expired' }), { joins: true, leaves: false }],
    ['given', view({ plan: 'legend', status: 'cancelled' }), { joins: false, leaves: false }],
    ['given', { ...LEAVING, is_given: true }, { joins: false, leaves: false }],
    ['renewing', { ...MEMBER, is_given: true }, { joins: false, leaves: true }],
  ] as const)('the status is %s and offers the right actions', (expected, current, { joins, leaves }) => {
    expect(getMembershipStatus(current)).toBe(expected);
    expect(canSubscribe(expected)).toBe(joins);
    expect(canCancel(expected)).toBe(leaves);
  });

  test('the end of the paid period is named only while it lies in the future', () => {
    expect(getPaidPeriodEnd(MEMBER, NOW)).toBe(LATER);
    expect(getPaidPeriodEnd(MEMBER, Date.parse(LATER))).toBeNull();
    expect(getPaidPeriodEnd(view(), NOW)).toBeNull();
  });

  test('a new subscription starts when the paid period ends, so that no day is paid twice', () => {
    expect(getSubscriptionStart({ ...CLIENT, starts_at: LATER }, NOW)).toBe(LATER);
    expect(getSubscriptionStart({ ...CLIENT, starts_at: LATER }, Date.parse(LATER) - 60_000)).toBeNull();
    expect(getSubscriptionStart(CLIENT, NOW)).toBeNull();
  });
});

test('the comparison of plans shows the feature of each plan for every aspect', () => {
  const [free, storyteller, ...later] = buildPlans(RUNTIME_CONFIG_DEFAULTS, null);
  const listFeatures = (plan: typeof free) => PLAN_ASPECTS.map((aspect) => plan && findFeature(plan, aspect));
  expect(listFeatures(free)).toEqual([
    'all_characters',
    'daily_messages',
    'points_refill',
    null,
    null,
    'personas',
  ]);
  expect(listFeatures(storyteller)).toEqual([
    ...['all_characters', 'unlimited_messages', 'unlimited_messages'],
    ...['faster_responses', 'priority_support', 'personas'],
  ]);
  expect(later.map((plan) => listFeatures(plan).filter((feature) => feature !== null))).toEqual([[], []]);
});

/** The page's store with stand-ins for the server's answers. */
function page(answers: Partial<MembershipApi>, signsIn = false) {
  const begun = new Set<string>();
  const events: string[] = [];
  const membership = createMembershipStore({
    api: {
      subscription: async () => ({ ok: true, data: view() }),
      activate: async () => ({ ok: true, data: MEMBER }),
      downgrade: async () => ({ ok: true, data: LEAVING }),
      ...answers,
    },
    savePending: (id) => events.push(id === null ? 'nothing pending' : `pending ${id}`),
    saveStarted: (id) => void begun.add(id),
    wasStarted: (id) => begun.has(id),
    signIn: async () => {
      events.push('asked to log in');
      return signsIn;
    },
    onPlanChanged: () => events.push('plan changed'),
  });
  return {
    membership,
    events,
    operation: () => membership.$operation.get(),
    getSubscription: () => membership.subscription.$state.get().data,
  };
}

describe('PayPal offer', () => {
  test('pressing the button fetches the current offer, not the one of the page load', async () => {
    const answers = [view(), view({ client: { ...CLIENT, plan_id: 'P-2', starts_at: LATER } })];
    const { membership, getSubscription } = page({
      subscription: async () => ({ ok: true, data: answers.shift() ?? view() }),
    });
    await membership.subscription.load();
    expect(await membership.fetchOffer()).toEqual({ ...CLIENT, plan_id: 'P-2', starts_at: LATER });
    expect(getSubscription()?.client?.plan_id).toBe('P-2');
  });

  test('no offer is made to members, without a client, or without a connection', async () => {
    for (const data of [MEMBER, view({ status: 'active' }), view({ client: null })]) {
      const { membership, getSubscription } = page({ subscription: async () => ({ ok: true, data }) });
      expect(await membership.fetchOffer()).toBeNull();
      expect(getSubscription()).toEqual(data);
    }
    const { membership } = page({ subscription: async () => NETWORK_FAILURE });
    expect(await membership.fetchOffer()).toBeNull();
  });

  test('an offer that arrives after a reset is dropped', async () => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<MembershipApi['subscription']>>>();
    const { membership, getSubscription } = page({
      subscription: () => promise,
    });
    const offered = membership.fetchOffer();
    membership.reset();
    resolve({ ok: true, data: view() });
    expect(await offered).toBeNull();
    expect(getSubscription()).toBeNull();
  });
});

describe('Subscription in the page address', () => {
  /** Activation requests are recorded here. */
  const asking = () => {
    const requests: string[] = [];
    const made = page({
      activate: async (id) => {
        requests.push(id);
        return { ok: true, data: MEMBER };
      },
    });
    return { ...made, requests };
  };

  test('a subscription started in this tab is activated when its page returns', async () => {
    const { membership, requests } = asking();
    membership.startSubscription('I-1');
    await membership.resume('I-1');
    expect([requests, membership.$claimedId.get()]).toEqual([['I-1'], null]);
  });

  test('a subscription from a foreign link is activated only after the user confirms it', async () => {
    const { membership, requests, operation, events } = asking();
    membership.startSubscription('I-1');
    await membership.resume('I-2');
    expect([requests, membership.$claimedId.get(), operation().kind]).toEqual([[], 'I-2', null]);
    await membership.activate('I-2');
    expect([requests, membership.$claimedId.get()]).toEqual([['I-2'], null]);
    expect(events.at(-1)).toBe('plan changed');
  });

  test('an unknown subscription can be dismissed, and a reset forgets it', async () => {
    const { membership, requests, events } = asking();
    await membership.resume('I-2');
    membership.dismissClaim();
    expect([requests, membership.$claimedId.get(), events]).toEqual([[], null, ['nothing pending']]);
    await membership.resume('I-2');
    membership.reset();
    expect(membership.$claimedId.get()).toBeNull();
  });
});

describe('Subscription activation', () => {
  test('activating a subscription shows the new membership', async () => {
    const { membership, events, operation, getSubscription } = page({});
    await membership.subscription.load();
    await membership.activate('I-1');
    expect(operation()).toMatchObject({ kind: 'activate', busy: false, done: true, failure: null });
    expect(getSubscription()).toEqual(MEMBER);
    expect(events).toEqual(['pending I-1', 'nothing pending', 'plan changed']);
  });

  test('a lost activation is retried with the same id, which stays in the address until it succeeds', async () => {
    const requests: string[] = [];
    const { membership, events, operation } = page({
      activate: async (id) => {
        requests.push(id);
        return requests.length === 1 ? NETWORK_FAILURE : { ok: true, data: MEMBER };
      },
    });
    await membership.activate('I-1');
    expect(operation()).toMatchObject({ done: false, failure: NETWORK_FAILURE, subscriptionId: 'I-1' });
    expect(events).toEqual(['pending I-1']);
    await membership.activateAgain();
    expect(requests).toEqual(['I-1', 'I-1']);
    expect(operation()).toMatchObject({ done: true, failure: null });
    await membership.activateAgain();
    expect(requests).toHaveLength(2);
  });

  test('a final refusal removes the pending subscription from the address', async () => {
    const { membership, events, operation } = page({
      activate: async () => createRefusal(403, 'subscription_wrong_account'),
    });
    await membership.activate('I-1');
    expect(operation()).toMatchObject({
      failure: { code: 'subscription_wrong_account' },
      subscriptionId: 'I-1',
    });
    expect(events).toEqual(['pending I-1', 'nothing pending']);
  });

  test.each([
    [createRefusal(502, 'paypal_unavailable'), true],
    [createRefusal(409, 'subscription_not_active'), true],
    [createRefusal(429, 'rate_limited'), true],
    [NETWORK_FAILURE, true],
    [createRefusal(409, 'subscription_already_claimed'), false],
    [createRefusal(404, 'subscription_not_found'), false],
    [createRefusal(422, 'subscription_wrong_price'), false],
  ])('a failed activation can be retried after some refusals and not after others: %#', (failure, again) => {
    expect(canRetry(failure)).toBe(again);
  });

  test('an activation continues after the user logs in again', async () => {
    let isIn = false;
    const { membership, events, operation } = page(
      {
        activate: async () => {
          if (isIn) return { ok: true, data: MEMBER };
          isIn = true;
          return createRefusal(401, 'unauthenticated');
        },
      },
      true,
    );
    await membership.activate('I-1');
    expect(events).toContain('asked to log in');
    expect(operation()).toMatchObject({ done: true });
  });

  test('an activation that answers after a reset is not shown', async () => {
    let answer: (view: SubscriptionView) => void = () => {};
    const { membership, operation, getSubscription } = page({
      activate: () =>
        new Promise((resolve) => {
          answer = (data) => resolve({ ok: true, data });
        }),
    });
    const underWay = membership.activate('I-1');
    membership.reset();
    answer(MEMBER);
    await underWay;
    expect(getSubscription()).toBeNull();
    expect(operation()).toMatchObject({ kind: null, done: false });
  });
});

describe('Membership cancellation', () => {
  test('cancelling a membership shows until when it lasts', async () => {
    const { membership, events, operation, getSubscription } = page({});
    await membership.cancelMembership();
    expect(operation()).toMatchObject({ kind: 'leave', done: true });
    expect(getSubscription()).toEqual(LEAVING);
    expect(events).toEqual(['plan changed']);
  });

  test('a failed cancellation leaves the membership unchanged', async () => {
    const { membership, operation, getSubscription } = page({
      downgrade: async () => createRefusal(502, 'downgrade_failed'),
    });
    membership.subscription.setData(MEMBER);
    await membership.cancelMembership();
    expect(operation()).toMatchObject({ kind: 'leave', done: false, failure: { code: 'downgrade_failed' } });
    expect(getSubscription()).toEqual(MEMBER);
  });

  test('cancelling twice at once sends one request', async () => {
    let calls = 0;
    const { membership } = page({
      downgrade: async () => {
        calls += 1;
        return { ok: true, data: LEAVING };
      },
    });
    await Promise.all([membership.cancelMembership(), membership.cancelMembership()]);
    expect(calls).toBe(1);
  });

  test('cancelling a membership that no longer exists reloads the state', async () => {
    const { membership, getSubscription } = page({
      downgrade: async () => createRefusal(409, 'no_subscription'),
    });
    membership.subscription.setData(MEMBER);
    await membership.cancelMembership();
    await Promise.resolve();
    expect(getSubscription()).toEqual(view());
  });
});

/** A PayPal script loader whose script the test delivers. */
function payPal(deliver: (options: PayPalScriptOptions) => Promise<PayPalNamespace | null>) {
  const requests: PayPalScriptOptions[] = [];
  const waits: { ms: number; run: () => void }[] = [];
  const loader = createPayPalLoader({
    library: async () => ({
      loadScript: (options) => {
        requests.push(options);
        return deliver(options);
      },
    }),
    clock: {
      now: () => NOW,
      after: (ms, run) => {
        waits.push({ ms, run });
        return () => {};
      },
    },
  });
  return {
    loader,
    requests,
    waits,
    load: (lang = 'de') => loader.load(CLIENT, { lang, nonce: 'n1' }),
    status: () => loader.$state.get().status,
  };
}

const NAMESPACE: PayPalNamespace = {
  version: '5',
  Buttons: () => {
    throw new Error('Nobody pressed anything');
  },
};

describe('PayPal button', () => {
  test('the PayPal script is requested once, for subscriptions in dollars paid by PayPal', async () => {
    const { load, requests, status } = payPal(async () => NAMESPACE);
    expect(status()).toBe('initial');
    const loading = load();
    expect(status()).toBe('pending');
    await loading;
    expect(status()).toBe('resolved');
    expect(requests).toEqual([
      {
        clientId: 'client-1',
        currency: 'USD',
        intent: 'subscription',
        vault: true,
        components: 'buttons',
        disableFunding: 'card,paylater',
        locale: 'de_DE',
        sdkBaseUrl: 'https://www.paypal.com/sdk/js',
        dataCspNonce: 'n1',
      },
    ]);
    await load();
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['its script does not come', () => Promise.reject(new Error('blocked'))],
    ['its script has no buttons', async () => ({ version: '5' })],
    ['there is no page to put it into', async () => null],
  ])('a PayPal script is reported as missing when %s, and can be requested again', async (_when, deliver) => {
    const { load, requests, status } = payPal(deliver);
    await load();
    expect(status()).toBe('rejected');
    const again = load();
    expect(status()).toBe('pending');
    await again;
    expect(requests).toHaveLength(2);
  });

  test('loading the PayPal script times out, and a late script changes nothing', async () => {
    let deliver: (namespace: PayPalNamespace) => void = () => {};
    const { load, waits, status } = payPal(
      () =>
        new Promise((resolve) => {
          deliver = resolve;
        }),
    );
    const loading = load();
    expect(waits.map(({ ms }) => ms)).toEqual([PAYPAL_TIMEOUT_MS]);
    await Promise.resolve();
    waits[0]?.run();
    expect(status()).toBe('rejected');
    deliver(NAMESPACE);
    await loading;
    expect(status()).toBe('rejected');
  });
});
