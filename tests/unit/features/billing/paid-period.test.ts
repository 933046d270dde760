import { describe, expect, test } from 'vitest';
import { BILLING } from '../../../../src/features/billing/limits.ts';
import { findActivationError } from '../../../../src/features/billing/activation.ts';
import {
  computeSubscriptionState,
  type StoredSubscription,
  mergePayments,
  type Payment,
} from '../../../../src/features/billing/subscription-state.ts';
import {
  type SubscriptionWithPayments,
  getPaidUntil,
  resolvePaidPlan,
} from '../../../../src/features/billing/paid-period.ts';
import type { ProviderSubscription } from '../../../../src/features/billing/payment-provider.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2027, 2, 10, 12);
const at = (text: string) => Date.parse(text);

const known = (change: Partial<StoredSubscription> = {}): StoredSubscription => ({
  status: 'active',
  periodEnd: NOW + 20 * DAY_MS,
  paymentFailed: false,
  createdAt: NOW - 10 * DAY_MS,
  reconciledAt: NOW - DAY_MS,
  ...change,
});
/** A subscription as the plan is computed from it. */
const owned = (
  change: Partial<SubscriptionWithPayments> = {},
): SubscriptionWithPayments & { plan: 'storyteller' } => ({
  ...known(),
  id: 'I-1',
  plan: 'storyteller',
  isRefunded: false,
  priceCents: 699,
  startsAt: null,
  updatedAt: NOW,
  payments: [],
  ...change,
});
const resolvePlan = (own: readonly ReturnType<typeof owned>[]) =>
  resolvePaidPlan(own, { hasUnpaid: new Set(), now: NOW });
const NEW: Partial<StoredSubscription> = { reconciledAt: 0, createdAt: NOW, periodEnd: NOW };
const payment = (change: Partial<Payment> = {}): Payment => ({
  id: 'p1',
  amountCents: 699,
  currency: 'USD',
  status: 'completed',
  refundedCents: 0,
  paidAt: NOW - 10 * DAY_MS,
  ...change,
});
const createRemote = (change: Partial<ProviderSubscription> = {}) => ({
  id: 'I-1',
  status: 'active' as const,
  planId: 'P-1',
  customId: 'u1',
  payerHash: null,
  nextBillingAt: NOW + 21 * DAY_MS,
  beganAt: NOW - 10 * DAY_MS,
  lastPayment: null,
  failedPayments: 0,
  price: null,
  amounts: [],
  ...change,
});
const computeState = (
  row: StoredSubscription,
  remote: ReturnType<typeof createRemote>,
  payments: Payment[] = [],
  { priceCents = 699, isListed = payments.length > 0 } = {},
) =>
  computeSubscriptionState(row, remote as Parameters<typeof computeSubscriptionState>[1], {
    payments,
    priceCents,
    isListed,
    now: NOW,
  });

describe('Billing period', () => {
  test('a paid period ends at the next billing date of an active subscription', () => {
    expect(computeState(known(), createRemote(), [payment()]).periodEnd).toBe(NOW + 21 * DAY_MS);
  });

  test('a period is not extended when the provider postpones billing without a payment', () => {
    const later = createRemote({ nextBillingAt: NOW + 52 * DAY_MS });
    expect(computeState(known(), later, [payment()]).periodEnd).toBe(NOW + 20 * DAY_MS);
  });

  test('a cancelled period ends a month after its last payment when the provider gives no date', () => {
    const over = createRemote({ status: 'cancelled' as never, nextBillingAt: null });
    const lastMonth = known({ periodEnd: NOW - 40 * DAY_MS });
    expect(computeState(lastMonth, over, [payment({ paidAt: at('2027-02-28T10:00:00Z') })]).periodEnd).toBe(
      at('2027-03-28T10:00:00Z'),
    );
  });

  test('cancelling a subscription keeps the plan until the promised end of the period', () => {
    const over = createRemote({ status: 'cancelled' as never, nextBillingAt: null });
    expect(computeState(known(), over, [payment()]).periodEnd).toBe(NOW + 20 * DAY_MS);
    // The same holds when the provider no longer lists the payments.
    expect(computeState(known(), over).periodEnd).toBe(NOW + 20 * DAY_MS);
  });

  test('two months paid at once add up when the subscription is cancelled', () => {
    const over = createRemote({ status: 'cancelled' as never, nextBillingAt: null });
    const twice = [payment({ paidAt: NOW }), payment({ id: 'p2', paidAt: NOW })];
    expect(computeState(known(NEW), over, twice).periodEnd).toBe(at('2027-05-10T12:00:00Z'));
  });

  test('a refunded month is deducted even when a later payment counts', () => {
    const over = createRemote({ status: 'cancelled' as never, nextBillingAt: null });
    const back = payment({ paidAt: NOW, status: 'refunded', refundedCents: 699 });
    const row = known({ periodEnd: at('2027-05-10T12:00:00Z') });
    expect(computeState(row, over, [back, payment({ id: 'p2', paidAt: NOW })]).periodEnd).toBe(
      at('2027-04-10T12:00:00Z'),
    );
  });

  test('a period ends at once when its payment is refunded and the months before have run out', () => {
    const first = payment({ id: 'p0', paidAt: at('2027-01-31T10:00:00Z') });
    const back = payment({ status: 'refunded', refundedCents: 699, paidAt: at('2027-02-28T10:00:00Z') });
    expect(computeState(known(), createRemote(), [first, back])).toEqual({
      status: 'active',
      paymentFailed: false,
      isRefunded: true,
      periodEnd: at('2027-02-28T10:00:00Z'),
    });
  });

  test('a payment of one cent or in another currency does not extend a period', () => {
    const cent = payment({ id: 'p2', amountCents: 1, paidAt: NOW });
    const yen = payment({ id: 'p3', currency: 'JPY', paidAt: NOW });
    const over = createRemote({ status: 'cancelled' as never, nextBillingAt: null });
    const row = known({ periodEnd: NOW - 20 * DAY_MS });
    expect(computeState(row, over, [payment(), cent, yen]).periodEnd).toBe(at('2027-03-28T12:00:00Z'));
  });

  test('a subscription agreed at a lower price continues at that price', () => {
    const cheaper = payment({ amountCents: 499 });
    expect(computeState(known(), createRemote(), [cheaper], { priceCents: 499 }).periodEnd).toBe(
      NOW + 21 * DAY_MS,
    );
  });
});

describe('Subscription seen for the first time', () => {
  test('an active subscription without known payments is paid until its next billing date', () => {
    expect(computeState(known(NEW), createRemote()).periodEnd).toBe(NOW + 21 * DAY_MS);
  });

  test('a new subscription without a payment gives one day of waiting for it', () => {
    const fresh = owned({
      ...known(NEW),
      ...computeState(known(NEW), createRemote({ nextBillingAt: NOW, beganAt: NOW })),
    });
    expect(resolvePlan([fresh])?.until).toBe(NOW + BILLING.settlementGraceMs);
  });

  test('a subscription that begins years from now gives no plan, whatever its status', () => {
    const far = { nextBillingAt: NOW + 3000 * DAY_MS, beganAt: NOW + 3000 * DAY_MS };
    for (const status of ['active', 'cancelled', 'suspended'] as const) {
      const row = owned({
        ...known(NEW),
        ...computeState(known(NEW), createRemote({ ...far, status: status as never })),
        startsAt: far.beganAt,
      });
      expect(resolvePlan([row])?.until).toBeLessThanOrEqual(NOW);
    }
  });

  test('a paid setup fee gives one month, however late the subscription begins', () => {
    const far = { nextBillingAt: NOW + 3000 * DAY_MS, beganAt: NOW + 3000 * DAY_MS };
    const lastPayment = { amountCents: 699, currency: 'USD', at: NOW };
    expect(computeState(known(NEW), createRemote({ ...far, lastPayment })).periodEnd).toBe(
      at('2027-04-10T12:00:00Z'),
    );
  });
});

describe('Several subscriptions', () => {
  test('the plan lasts until the latest paid end of all subscriptions', () => {
    const [old, young] = [
      owned({ status: 'cancelled', createdAt: NOW, periodEnd: NOW + 9 * DAY_MS }),
      owned({ id: 'I-2', status: 'suspended', periodEnd: NOW }),
    ];
    expect(resolvePlan([young, old])).toEqual({ plan: 'storyteller', until: NOW + 9 * DAY_MS });
    expect(resolvePlan([])).toBeNull();
  });

  test('the plan bridges the day between an ended subscription and the first payment of the next', () => {
    const old = owned({ status: 'cancelled', periodEnd: NOW });
    const next = owned({ id: 'I-2', startsAt: NOW, periodEnd: NOW - 30 * DAY_MS });
    expect(resolvePlan([old, next])?.until).toBe(NOW + BILLING.settlementGraceMs);
    expect(resolvePlan([old, { ...next, paymentFailed: true }])?.until).toBe(NOW);
    expect(resolvePlan([old, { ...next, isRefunded: true }])?.until).toBe(NOW);
    // No payment is expected yet from a subscription that begins much later.
    expect(resolvePlan([old, { ...next, startsAt: NOW + 9 * DAY_MS }])?.until).toBe(NOW);
  });

  test('overlapping subscriptions add up to the months paid, without a refunded one', () => {
    const own = owned({
      periodEnd: at('2027-04-01T12:00:00Z'),
      payments: [payment({ paidAt: at('2027-03-01T12:00:00Z') })],
    });
    const present = owned({
      id: 'I-2',
      periodEnd: at('2027-04-09T12:00:00Z'),
      payments: [payment({ id: 'p2', paidAt: at('2027-03-09T12:00:00Z') })],
    });
    expect(getPaidUntil([own, present])).toBe(at('2027-05-01T12:00:00Z'));
    expect(getPaidUntil([present, own])).toBe(at('2027-05-01T12:00:00Z'));
    const refunded = {
      ...present,
      isRefunded: true,
      periodEnd: at('2027-03-09T12:00:00Z'),
      payments: [payment({ id: 'p2', status: 'refunded' as const })],
    };
    expect(getPaidUntil([own, refunded])).toBe(own.periodEnd);
    // A payment below the agreed price does not buy a month.
    const little = { ...present, periodEnd: present.createdAt, payments: [payment({ amountCents: 1 })] };
    expect(getPaidUntil([own, little])).toBe(own.periodEnd);
    // Subscriptions that follow each other keep their own months.
    const next = owned({
      id: 'I-3',
      periodEnd: at('2027-05-01T12:00:00Z'),
      payments: [payment({ id: 'p3', paidAt: own.periodEnd })],
    });
    expect(getPaidUntil([next, { ...own, status: 'cancelled' }])).toBe(next.periodEnd);
  });

  test('overlapping subscriptions add up their months also without known payments', () => {
    const named = owned({
      createdAt: at('2027-03-01T12:00:00Z'),
      periodEnd: at('2027-04-01T12:00:00Z'),
      payments: [payment({ paidAt: at('2027-03-01T12:00:00Z') })],
    });
    const unnamed = owned({
      id: 'I-2',
      createdAt: at('2027-03-09T12:00:00Z'),
      periodEnd: at('2027-04-09T12:00:00Z'),
    });
    expect(getPaidUntil([named, unnamed])).toBe(at('2027-05-01T12:00:00Z'));
    expect(getPaidUntil([unnamed, { ...named, payments: [] }])).toBe(at('2027-05-01T12:00:00Z'));
    // A refunded subscription, and one that ended when it began, add no month.
    expect(getPaidUntil([named, { ...unnamed, isRefunded: true }])).toBe(named.periodEnd);
    expect(getPaidUntil([named, { ...unnamed, periodEnd: unnamed.createdAt }])).toBe(named.periodEnd);
    // A month that ended before the next subscription began adds nothing either.
    const before = {
      ...unnamed,
      createdAt: named.createdAt - 40 * DAY_MS,
      periodEnd: named.createdAt - DAY_MS,
    };
    expect(getPaidUntil([named, before])).toBe(named.periodEnd);
  });

  test('the user waits only one day for a first payment, however many unpaid subscriptions they start', () => {
    const first = owned({ createdAt: NOW - 2 * DAY_MS, periodEnd: NOW - 2 * DAY_MS });
    const second = owned({ id: 'I-2', createdAt: NOW, periodEnd: NOW });
    expect(resolvePlan([first])?.until).toBe(NOW - DAY_MS);
    for (const status of ['active', 'suspended', 'cancelled', 'expired'] as const)
      expect(resolvePlan([second, { ...first, status }])?.until).toBeLessThanOrEqual(NOW);
    expect(resolvePaidPlan([second], { hasUnpaid: new Set(['I-2']), now: NOW })?.until).toBe(NOW);
    // A subscription paid before gets the day for its next payment again.
    const paid = { ...first, periodEnd: NOW - DAY_MS, payments: [payment()] };
    expect(resolvePlan([second, paid])?.until).toBe(NOW + BILLING.settlementGraceMs);
    const back = { ...first, isRefunded: true, payments: [payment({ status: 'refunded' })] };
    expect(resolvePlan([second, back])?.until).toBeLessThanOrEqual(NOW);
    // A subscription cancelled before it began does not use up the day.
    const never = owned({ ...first, status: 'cancelled', startsAt: NOW + DAY_MS });
    expect(resolvePlan([second, never])?.until).toBe(NOW + BILLING.settlementGraceMs);
  });
});

describe('Refunded payments', () => {
  test('refunds never exceed the payment, also when they are reported twice', () => {
    const back = [
      { paymentId: 'p1', amountCents: 500, isReversal: false },
      { paymentId: 'p1', amountCents: 500, isReversal: false },
      { paymentId: 'other', amountCents: 500, isReversal: false },
    ];
    expect(mergePayments([payment()], [], back)).toEqual([
      payment({ refundedCents: 699, status: 'refunded' }),
    ]);
    const reversal = [...back, { paymentId: 'p1', amountCents: 0, isReversal: true }];
    expect(mergePayments([payment()], [], reversal)).toEqual([
      payment({ refundedCents: 699, status: 'reversed' }),
    ]);
  });

  test('an older list of payments does not undo a refund', () => {
    const refunded = payment({ refundedCents: 699, status: 'refunded' });
    const listed = { id: 'p1', amountCents: 699, currency: 'USD', at: refunded.paidAt, isRefunded: false };
    expect(mergePayments([refunded], [listed], [])).toEqual([refunded]);
  });
});

test('activation errors are checked in order: owner, plan, status, currency, price', () => {
  const wrong = createRemote({
    customId: 'u2',
    planId: 'P-2',
    status: 'cancelled' as never,
    amounts: [{ cents: 1, currency: 'MXN' }],
  });
  const rules = { userId: 'u1', offer: { planId: 'P-1', priceCents: 699 }, isToBeActive: true };
  const codes = [
    wrong,
    { ...wrong, customId: 'u1' },
    { ...wrong, customId: 'u1', planId: 'P-1' },
    { ...wrong, customId: 'u1', planId: 'P-1', status: 'active' as const },
    {
      ...wrong,
      customId: 'u1',
      planId: 'P-1',
      status: 'active' as const,
      amounts: [{ cents: 1, currency: 'USD' }],
    },
    {
      ...wrong,
      customId: 'u1',
      planId: 'P-1',
      status: 'active' as const,
      amounts: [{ cents: 699, currency: 'USD' }],
    },
  ].map((one) => findActivationError(one as ProviderSubscription, rules));
  expect(codes).toEqual([
    'subscription_wrong_account',
    'subscription_wrong_plan',
    'subscription_not_active',
    'subscription_wrong_currency',
    'subscription_wrong_price',
    null,
  ]);
});
