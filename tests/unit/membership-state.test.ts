// Over 400 lines: one page's states, each over the same stand-ins of PayPal and the server.
import type { PayPalNamespace, PayPalScriptOptions } from '@paypal/paypal-js';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import type { SubscriptionView } from '../../src/features/billing/contract.ts';
import { buildPlans } from '../../src/features/billing/plans.ts';
import type { MembershipApi } from '../../src/islands/membership/membership-api.ts';
import {
  PLAN_ASPECTS,
  getSubscriptionStart,
  findFeature,
  canRetry,
  canSubscribe,
  canCancel,
  getPaidPeriodEnd,
  getMembershipStatus,
} from '../../src/islands/membership/membership-rules.ts';
import { createMembershipStore } from '../../src/islands/membership/membership-state.ts';
import { createPayPalLoader, PAYPAL_TIMEOUT_MS } from '../../src/islands/membership/paypal-loader.ts';
import { NETWORK_FAILURE, type Failure } from '../../src/islands/shared/api.ts';

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
const refused = (status: number, code: string): Failure => ({ ok: false, status, code, error: '' });

describe('How I stand with my membership', () => {
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
  ] as const)('is %s, and I can do what goes with it', (standing, mine, { joins, leaves }) => {
    expect(getMembershipStatus(mine)).toBe(standing);
    expect(canSubscribe(standing)).toBe(joins);
    expect(canCancel(standing)).toBe(leaves);
  });

  test('names the end of what is paid for only while it is to come', () => {
    expect(getPaidPeriodEnd(MEMBER, NOW)).toBe(LATER);
    expect(getPaidPeriodEnd(MEMBER, Date.parse(LATER))).toBeNull();
    expect(getPaidPeriodEnd(view(), NOW)).toBeNull();
  });

  test('lets me come back from the day until which I have paid, so that I pay nothing twice', () => {
    expect(getSubscriptionStart({ ...CLIENT, starts_at: LATER }, NOW)).toBe(LATER);
    expect(getSubscriptionStart({ ...CLIENT, starts_at: LATER }, Date.parse(LATER) - 60_000)).toBeNull();
    expect(getSubscriptionStart(CLIENT, NOW)).toBeNull();
  });
});

test('the plans are compared by what each of them brings', () => {
  const [free, storyteller, ...toCome] = buildPlans(RUNTIME_CONFIG_DEFAULTS, null);
  const had = (plan: typeof free) => PLAN_ASPECTS.map((aspect) => plan && findFeature(plan, aspect));
  expect(had(free)).toEqual(['all_characters', 'daily_messages', 'points_refill', null, null, 'personas']);
  expect(had(storyteller)).toEqual([
    ...['all_characters', 'unlimited_messages', 'unlimited_messages'],
    ...['faster_responses', 'priority_support', 'personas'],
  ]);
  expect(toCome.map((plan) => had(plan).filter((feature) => feature !== null))).toEqual([[], []]);
});

/** The page and the server's answers as they come. */
function page(answers: Partial<MembershipApi>, comesBack = false) {
  const begun = new Set<string>();
  const happened: string[] = [];
  const membership = createMembershipStore({
    api: {
      subscription: async () => ({ ok: true, data: view() }),
      activate: async () => ({ ok: true, data: MEMBER }),
      downgrade: async () => ({ ok: true, data: LEAVING }),
      ...answers,
    },
    savePending: (id) => happened.push(id === null ? 'nothing pending' : `pending ${id}`),
    saveStarted: (id) => void begun.add(id),
    wasStarted: (id) => begun.has(id),
    signIn: async () => {
      happened.push('asked to log in');
      return comesBack;
    },
    onPlanChanged: () => happened.push('plan changed'),
  });
  return {
    membership,
    happened,
    deed: () => membership.$operation.get(),
    mine: () => membership.subscription.$state.get().data,
  };
}

describe('What I can agree to at PayPal', () => {
  test('is what the server offers when I press the button, whatever the page was told before', async () => {
    const answers = [view(), view({ client: { ...CLIENT, plan_id: 'P-2', starts_at: LATER } })];
    const { membership, mine } = page({
      subscription: async () => ({ ok: true, data: answers.shift() ?? view() }),
    });
    await membership.subscription.load();
    expect(await membership.fetchOffer()).toEqual({ ...CLIENT, plan_id: 'P-2', starts_at: LATER });
    expect(mine()?.client?.plan_id).toBe('P-2');
  });

  test('is nothing when I am a member already, when nothing is sold, and when nobody can be asked', async () => {
    for (const data of [MEMBER, view({ status: 'active' }), view({ client: null })]) {
      const { membership, mine } = page({ subscription: async () => ({ ok: true, data }) });
      expect(await membership.fetchOffer()).toBeNull();
      expect(mine()).toEqual(data);
    }
    const { membership } = page({ subscription: async () => NETWORK_FAILURE });
    expect(await membership.fetchOffer()).toBeNull();
  });

  test('is nothing for whoever came after me while the answer was under way', async () => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<MembershipApi['subscription']>>>();
    const { membership, mine } = page({
      subscription: () => promise,
    });
    const offered = membership.fetchOffer();
    membership.reset();
    resolve({ ok: true, data: view() });
    expect(await offered).toBeNull();
    expect(mine()).toBeNull();
  });
});

describe('What the address of the page names', () => {
  /** Nothing is ever asked for but with this. */
  const asking = () => {
    const asked: string[] = [];
    const made = page({
      activate: async (id) => {
        asked.push(id);
        return { ok: true, data: MEMBER };
      },
    });
    return { ...made, asked };
  };

  test('goes on by itself where I began it in this tab', async () => {
    const { membership, asked } = asking();
    membership.startSubscription('I-1');
    await membership.resume('I-1');
    expect([asked, membership.$claimedId.get()]).toEqual([['I-1'], null]);
  });

  test('is asked about where somebody else may have led me there, and activated only when I say so', async () => {
    const { membership, asked, deed, happened } = asking();
    membership.startSubscription('I-1');
    await membership.resume('I-2');
    expect([asked, membership.$claimedId.get(), deed().kind]).toEqual([[], 'I-2', null]);
    await membership.activate('I-2');
    expect([asked, membership.$claimedId.get()]).toEqual([['I-2'], null]);
    expect(happened.at(-1)).toBe('plan changed');
  });

  test('is let be when I know nothing of it, and is nothing to whoever comes after me', async () => {
    const { membership, asked, happened } = asking();
    await membership.resume('I-2');
    membership.dismissClaim();
    expect([asked, membership.$claimedId.get(), happened]).toEqual([[], null, ['nothing pending']]);
    await membership.resume('I-2');
    membership.reset();
    expect(membership.$claimedId.get()).toBeNull();
  });
});

describe('What I agreed to at PayPal', () => {
  test('is activated, and the page shows the new state', async () => {
    const { membership, happened, deed, mine } = page({});
    await membership.subscription.load();
    await membership.activate('I-1');
    expect(deed()).toMatchObject({ kind: 'activate', busy: false, done: true, failure: null });
    expect(mine()).toEqual(MEMBER);
    expect(happened).toEqual(['pending I-1', 'nothing pending', 'plan changed']);
  });

  test('is asked for once more with the same number when an answer was lost, and stays in the address until then', async () => {
    const asked: string[] = [];
    const { membership, happened, deed } = page({
      activate: async (id) => {
        asked.push(id);
        return asked.length === 1 ? NETWORK_FAILURE : { ok: true, data: MEMBER };
      },
    });
    await membership.activate('I-1');
    expect(deed()).toMatchObject({ done: false, failure: NETWORK_FAILURE, subscriptionId: 'I-1' });
    expect(happened).toEqual(['pending I-1']);
    await membership.activateAgain();
    expect(asked).toEqual(['I-1', 'I-1']);
    expect(deed()).toMatchObject({ done: true, failure: null });
    await membership.activateAgain();
    expect(asked).toHaveLength(2);
  });

  test('is refused for good where asking again would change nothing', async () => {
    const { membership, happened, deed } = page({
      activate: async () => refused(403, 'subscription_foreign'),
    });
    await membership.activate('I-1');
    expect(deed()).toMatchObject({ failure: { code: 'subscription_foreign' }, subscriptionId: 'I-1' });
    expect(happened).toEqual(['pending I-1', 'nothing pending']);
  });

  test.each([
    [refused(502, 'paypal_unavailable'), true],
    [refused(409, 'subscription_not_active'), true],
    [refused(429, 'rate_limited'), true],
    [NETWORK_FAILURE, true],
    [refused(409, 'subscription_used'), false],
    [refused(404, 'subscription_unknown'), false],
    [refused(422, 'subscription_wrong_price'), false],
  ])('may be asked about again after some refusals and not after others: %#', (failure, again) => {
    expect(canRetry(failure)).toBe(again);
  });

  test('goes on by itself once I have logged in again', async () => {
    let isIn = false;
    const { membership, happened, deed } = page(
      {
        activate: async () => {
          if (isIn) return { ok: true, data: MEMBER };
          isIn = true;
          return refused(401, 'unauthenticated');
        },
      },
      true,
    );
    await membership.activate('I-1');
    expect(happened).toContain('asked to log in');
    expect(deed()).toMatchObject({ done: true });
  });

  test('is not shown to whoever has come in place of me meanwhile', async () => {
    let answer: (view: SubscriptionView) => void = () => {};
    const { membership, deed, mine } = page({
      activate: () =>
        new Promise((resolve) => {
          answer = (data) => resolve({ ok: true, data });
        }),
    });
    const underWay = membership.activate('I-1');
    membership.reset();
    answer(MEMBER);
    await underWay;
    expect(mine()).toBeNull();
    expect(deed()).toMatchObject({ kind: null, done: false });
  });
});

describe('When I cancel my membership', () => {
  test('the page shows until when everything stays', async () => {
    const { membership, happened, deed, mine } = page({});
    await membership.cancelMembership();
    expect(deed()).toMatchObject({ kind: 'leave', done: true });
    expect(mine()).toEqual(LEAVING);
    expect(happened).toEqual(['plan changed']);
  });

  test('and it does not work, nothing is shown as cancelled', async () => {
    const { membership, deed, mine } = page({ downgrade: async () => refused(502, 'downgrade_failed') });
    membership.subscription.setData(MEMBER);
    await membership.cancelMembership();
    expect(deed()).toMatchObject({ kind: 'leave', done: false, failure: { code: 'downgrade_failed' } });
    expect(mine()).toEqual(MEMBER);
  });

  test('twice at once, PayPal is told once', async () => {
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

  test('and there is none any more, the page looks again', async () => {
    const { membership, mine } = page({ downgrade: async () => refused(409, 'no_subscription') });
    membership.subscription.setData(MEMBER);
    await membership.cancelMembership();
    await Promise.resolve();
    expect(mine()).toEqual(view());
  });
});

/** PayPal's script as the test lets it come. */
function payPal(come: (options: PayPalScriptOptions) => Promise<PayPalNamespace | null>) {
  const asked: PayPalScriptOptions[] = [];
  const waits: { ms: number; run: () => void }[] = [];
  const loader = createPayPalLoader({
    library: async () => ({
      loadScript: (options) => {
        asked.push(options);
        return come(options);
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
    asked,
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

describe('PayPal’s button', () => {
  test('is asked for as the product sells: subscriptions in dollars, by PayPal alone', async () => {
    const { load, asked, status } = payPal(async () => NAMESPACE);
    expect(status()).toBe('initial');
    const loading = load();
    expect(status()).toBe('pending');
    await loading;
    expect(status()).toBe('resolved');
    expect(asked).toEqual([
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
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['its script does not come', () => Promise.reject(new Error('blocked'))],
    ['its script has no buttons', async () => ({ version: '5' })],
    ['there is no page to put it into', async () => null],
  ])('is told as missing when %s, and can be asked for again', async (_when, come) => {
    const { load, asked, status } = payPal(come);
    await load();
    expect(status()).toBe('rejected');
    const again = load();
    expect(status()).toBe('pending');
    await again;
    expect(asked).toHaveLength(2);
  });

  test('is not waited for without end, and a script that comes too late changes nothing', async () => {
    let come: (namespace: PayPalNamespace) => void = () => {};
    const { load, waits, status } = payPal(
      () =>
        new Promise((resolve) => {
          come = resolve;
        }),
    );
    const loading = load();
    expect(waits.map(({ ms }) => ms)).toEqual([PAYPAL_TIMEOUT_MS]);
    await Promise.resolve();
    waits[0]?.run();
    expect(status()).toBe('rejected');
    come(NAMESPACE);
    await loading;
    expect(status()).toBe('rejected');
  });
});
