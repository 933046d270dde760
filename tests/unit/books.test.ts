import { describe, expect, test } from 'vitest';
import { BILLING } from '../../src/features/billing/limits.ts';
import { findActivationError } from '../../src/features/billing/activation.ts';
import {
  computeSubscriptionState,
  type StoredSubscription,
  mergePayments,
  type Payment,
} from '../../src/features/billing/subscription-state.ts';
import { computeCommissionChange, calculateShare } from '../../src/features/billing/commission.ts';
import {
  type SubscriptionWithPayments,
  getPaidUntil,
  resolvePaidPlan as planOfAll,
} from '../../src/features/billing/paid-period.ts';
import type { ProviderSubscription } from '../../src/features/billing/payment-provider.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2027, 2, 10, 12);
const at = (text: string) => Date.parse(text);

const known = (change: Partial<StoredSubscription> = {}): StoredSubscription => ({
  status: 'active',
  periodEnd: NOW + 20 * DAY_MS,
  isFailing: false,
  createdAt: NOW - 10 * DAY_MS,
  checkedAt: NOW - DAY_MS,
  ...change,
});
/** A row as plans rest on it. */
const owned = (
  change: Partial<SubscriptionWithPayments> = {},
): SubscriptionWithPayments & { plan: 'storyteller' } => ({
  ...known(),
  id: 'I-1',
  plan: 'storyteller',
  wentBack: false,
  agreedCents: 699,
  beginsAt: null,
  updatedAt: NOW,
  payments: [],
  ...change,
});
const planOf = (own: readonly ReturnType<typeof owned>[]) =>
  planOfAll(own, { hasUnpaid: new Set(), now: NOW });
const NEW: Partial<StoredSubscription> = { checkedAt: 0, createdAt: NOW, periodEnd: NOW };
const payment = (change: Partial<Payment> = {}): Payment => ({
  id: 'p1',
  amountCents: 699,
  currency: 'USD',
  status: 'completed',
  refundedCents: 0,
  paidAt: NOW - 10 * DAY_MS,
  ...change,
});
const told = (change: Partial<ProviderSubscription> = {}) => ({
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
const books = (
  row: StoredSubscription,
  company: ReturnType<typeof told>,
  payments: Payment[] = [],
  { agreedCents = 699, isListed = payments.length > 0 } = {},
) =>
  computeSubscriptionState(row, company as Parameters<typeof computeSubscriptionState>[1], {
    payments,
    agreedCents,
    isListed,
    now: NOW,
  });

describe('A period', () => {
  test('ends when the company takes money next, while it does', () => {
    expect(books(known(), told(), [payment()]).periodEnd).toBe(NOW + 21 * DAY_MS);
  });

  test('does not move on because the company puts its next payment off, without being paid', () => {
    const later = told({ nextBillingAt: NOW + 52 * DAY_MS });
    expect(books(known(), later, [payment()]).periodEnd).toBe(NOW + 20 * DAY_MS);
  });

  test('ends a month after what was paid when the company says no more', () => {
    const over = told({ status: 'cancelled' as never, nextBillingAt: null });
    const lastMonth = known({ periodEnd: NOW - 40 * DAY_MS });
    expect(books(lastMonth, over, [payment({ paidAt: at('2027-02-28T10:00:00Z') })]).periodEnd).toBe(
      at('2027-03-28T10:00:00Z'),
    );
  });

  test('is no shorter than what was promised, when it is cancelled', () => {
    const over = told({ status: 'cancelled' as never, nextBillingAt: null });
    expect(books(known(), over, [payment()]).periodEnd).toBe(NOW + 20 * DAY_MS);
    // Nor where the company does not say any more what was paid.
    expect(books(known(), over).periodEnd).toBe(NOW + 20 * DAY_MS);
  });

  test('is as long as everything that was paid, when two months were paid at once', () => {
    const over = told({ status: 'cancelled' as never, nextBillingAt: null });
    const twice = [payment({ paidAt: NOW }), payment({ id: 'p2', paidAt: NOW })];
    expect(books(known(NEW), over, twice).periodEnd).toBe(at('2027-05-10T12:00:00Z'));
  });

  test('is shorter by the month whose payment went back, also when one after it stands', () => {
    const over = told({ status: 'cancelled' as never, nextBillingAt: null });
    const back = payment({ paidAt: NOW, status: 'refunded', refundedCents: 699 });
    const row = known({ periodEnd: at('2027-05-10T12:00:00Z') });
    expect(books(row, over, [back, payment({ id: 'p2', paidAt: NOW })]).periodEnd).toBe(
      at('2027-04-10T12:00:00Z'),
    );
  });

  test('is over at once when its payment went back, and what was paid before it has run out', () => {
    const first = payment({ id: 'p0', paidAt: at('2027-01-31T10:00:00Z') });
    const back = payment({ status: 'refunded', refundedCents: 699, paidAt: at('2027-02-28T10:00:00Z') });
    expect(books(known(), told(), [first, back])).toEqual({
      status: 'active',
      isFailing: false,
      wentBack: true,
      periodEnd: at('2027-02-28T10:00:00Z'),
    });
  });

  test('is not bought by a cent, nor in another currency, once more was paid', () => {
    const cent = payment({ id: 'p2', amountCents: 1, paidAt: NOW });
    const yen = payment({ id: 'p3', currency: 'JPY', paidAt: NOW });
    const over = told({ status: 'cancelled' as never, nextBillingAt: null });
    const row = known({ periodEnd: NOW - 20 * DAY_MS });
    expect(books(row, over, [payment(), cent, yen]).periodEnd).toBe(at('2027-03-28T12:00:00Z'));
  });

  test('of whoever began at another price goes on at that', () => {
    const cheaper = payment({ amountCents: 499 });
    expect(books(known(), told(), [cheaper], { agreedCents: 499 }).periodEnd).toBe(NOW + 21 * DAY_MS);
  });
});

describe('A subscription that is seen first', () => {
  test('and runs is paid until the next payment, where nobody tells of any payment', () => {
    expect(books(known(NEW), told()).periodEnd).toBe(NOW + 21 * DAY_MS);
  });

  test('and of which nothing was taken yet is waited for, for a day', () => {
    const fresh = owned({
      ...known(NEW),
      ...books(known(NEW), told({ nextBillingAt: NOW, beganAt: NOW })),
    });
    expect(planOf([fresh])?.until).toBe(NOW + BILLING.settlementGraceMs);
  });

  test('and begins years from now brings nothing, cancelled or not', () => {
    const far = { nextBillingAt: NOW + 3000 * DAY_MS, beganAt: NOW + 3000 * DAY_MS };
    for (const status of ['active', 'cancelled', 'suspended'] as const) {
      const row = owned({
        ...known(NEW),
        ...books(known(NEW), told({ ...far, status: status as never })),
        beginsAt: far.beganAt,
      });
      expect(planOf([row])?.until).toBeLessThanOrEqual(NOW);
    }
  });

  test('of which a setting-up was paid brings a month, however far off it begins', () => {
    const far = { nextBillingAt: NOW + 3000 * DAY_MS, beganAt: NOW + 3000 * DAY_MS };
    const lastPayment = { amountCents: 699, currency: 'USD', at: NOW };
    expect(books(known(NEW), told({ ...far, lastPayment })).periodEnd).toBe(at('2027-04-10T12:00:00Z'));
  });
});

describe('A plan by several subscriptions', () => {
  test('lasts until the furthest of what is paid', () => {
    const [old, young] = [
      owned({ status: 'cancelled', createdAt: NOW, periodEnd: NOW + 9 * DAY_MS }),
      owned({ id: 'I-2', status: 'suspended', periodEnd: NOW }),
    ];
    expect(planOf([young, old])).toEqual({ plan: 'storyteller', until: NOW + 9 * DAY_MS });
    expect(planOf([])).toBeNull();
  });

  test('bridges the day between the old one and the new one', () => {
    const old = owned({ status: 'cancelled', periodEnd: NOW });
    const next = owned({ id: 'I-2', beginsAt: NOW, periodEnd: NOW - 30 * DAY_MS });
    expect(planOf([old, next])?.until).toBe(NOW + BILLING.settlementGraceMs);
    expect(planOf([old, { ...next, isFailing: true }])?.until).toBe(NOW);
    expect(planOf([old, { ...next, wentBack: true }])?.until).toBe(NOW);
    // Of one that begins much later no payment is on its way.
    expect(planOf([old, { ...next, beginsAt: NOW + 9 * DAY_MS }])?.until).toBe(NOW);
  });

  test('is of both months where two are paid for at once, and of one where one of them went back', () => {
    const mine = owned({
      periodEnd: at('2027-04-01T12:00:00Z'),
      payments: [payment({ paidAt: at('2027-03-01T12:00:00Z') })],
    });
    const present = owned({
      id: 'I-2',
      periodEnd: at('2027-04-09T12:00:00Z'),
      payments: [payment({ id: 'p2', paidAt: at('2027-03-09T12:00:00Z') })],
    });
    expect(getPaidUntil([mine, present])).toBe(at('2027-05-01T12:00:00Z'));
    expect(getPaidUntil([present, mine])).toBe(at('2027-05-01T12:00:00Z'));
    const back = {
      ...present,
      wentBack: true,
      periodEnd: at('2027-03-09T12:00:00Z'),
      payments: [payment({ id: 'p2', status: 'refunded' as const })],
    };
    expect(getPaidUntil([mine, back])).toBe(mine.periodEnd);
    // What is not what was agreed to buys no month.
    const little = { ...present, periodEnd: present.createdAt, payments: [payment({ amountCents: 1 })] };
    expect(getPaidUntil([mine, little])).toBe(mine.periodEnd);
    // One after the other, each is its own month.
    const next = owned({
      id: 'I-3',
      periodEnd: at('2027-05-01T12:00:00Z'),
      payments: [payment({ id: 'p3', paidAt: mine.periodEnd })],
    });
    expect(getPaidUntil([next, { ...mine, status: 'cancelled' }])).toBe(next.periodEnd);
  });

  test('is of both months also where nobody names the payments of one of them, or of both', () => {
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
    // What went back, and what ends as it begins, is no month.
    expect(getPaidUntil([named, { ...unnamed, wentBack: true }])).toBe(named.periodEnd);
    expect(getPaidUntil([named, { ...unnamed, periodEnd: unnamed.createdAt }])).toBe(named.periodEnd);
    // Nor is a month that is over before the next begins.
    const before = {
      ...unnamed,
      createdAt: named.createdAt - 40 * DAY_MS,
      periodEnd: named.createdAt - DAY_MS,
    };
    expect(getPaidUntil([named, before])).toBe(named.periodEnd);
  });

  test('has one day in which a first payment is awaited, however many are agreed to and never paid for', () => {
    const first = owned({ createdAt: NOW - 2 * DAY_MS, periodEnd: NOW - 2 * DAY_MS });
    const second = owned({ id: 'I-2', createdAt: NOW, periodEnd: NOW });
    expect(planOf([first])?.until).toBe(NOW - DAY_MS);
    for (const status of ['active', 'suspended', 'cancelled', 'expired'] as const)
      expect(planOf([second, { ...first, status }])?.until).toBeLessThanOrEqual(NOW);
    expect(planOfAll([second], { hasUnpaid: new Set(['I-2']), now: NOW })?.until).toBe(NOW);
    // One that was paid for before has it for the next again.
    const paid = { ...first, periodEnd: NOW - DAY_MS, payments: [payment()] };
    expect(planOf([second, paid])?.until).toBe(NOW + BILLING.settlementGraceMs);
    const back = { ...first, wentBack: true, payments: [payment({ status: 'refunded' })] };
    expect(planOf([second, back])?.until).toBeLessThanOrEqual(NOW);
    // What was given up before it began has brought nothing, and takes nothing away.
    const never = owned({ ...first, status: 'cancelled', beginsAt: NOW + DAY_MS });
    expect(planOf([second, never])?.until).toBe(NOW + BILLING.settlementGraceMs);
  });
});

describe('A share', () => {
  test('is to the nearest cent, of any sum', () => {
    expect([699, 1499, 2499, 1, 3, 4, 10, 0].map((cents) => calculateShare(cents, 15))).toEqual([
      105, 225, 375, 0, 0, 1, 2, 0,
    ]);
    for (let cents = 0; cents <= 3000; cents += 1) {
      // In whole numbers: half a cent goes up.
      expect(calculateShare(cents, 15)).toBe(Math.floor((cents * 15 + 50) / 100));
    }
  });

  test('of what was there before and nobody had is never begun afterwards', () => {
    const rules = { before: payment(), commission: null, percent: 15 };
    expect(computeCommissionChange(payment({ refundedCents: 100 }), rules)).toBeNull();
    expect(computeCommissionChange(payment(), { ...rules, before: null })).toEqual({
      do: 'begin',
      amountCents: 105,
      percent: 15,
    });
    expect(computeCommissionChange(payment({ status: 'refunded' }), { ...rules, before: null })).toBeNull();
  });
});

describe('A share of what went back', () => {
  const commission = (status: 'due' | 'paid' | 'reversed') => ({
    id: 'c1',
    paymentId: 'p1',
    amountCents: 105,
    percent: 15,
    status,
    payoutId: status === 'due' ? null : 'o1',
    createdAt: NOW,
  });
  const change = (status: 'due' | 'paid' | 'reversed', now: Partial<Payment>) =>
    computeCommissionChange(payment(now), { before: payment(), commission: commission(status), percent: 50 });

  test('is taken back as it is, whether it was paid out or not, and once', () => {
    for (const gone of ['refunded', 'reversed'] as const) {
      const all = { status: gone, refundedCents: 699 };
      expect(change('due', all)).toEqual({ do: 'reverse', id: 'c1' });
      expect(change('paid', all)).toEqual({ do: 'reverse', id: 'c1' });
      expect(change('reversed', all)).toBeNull();
    }
  });

  test('in part leaves the share of the rest, at what it was made at', () => {
    expect(change('due', { refundedCents: 350 })).toEqual({ do: 'shrink', id: 'c1', amountCents: 52 });
    expect(change('paid', { refundedCents: 350 })).toEqual({
      do: 'split',
      id: 'c1',
      amountCents: 52,
      reversedCents: 53,
      paymentId: 'p1/350',
    });
    expect(change('due', {})).toBeNull();
  });

  test('in many parts is the share of all that is left, and not the sum of shares', () => {
    // Each cent for itself has no share, and every seventh would be one too many.
    let owed = 105;
    for (let refundedCents = 1; refundedCents < 699; refundedCents += 1) {
      const before = payment({ refundedCents: refundedCents - 1 });
      const told = computeCommissionChange(payment({ refundedCents }), {
        before,
        commission: { ...commission('due'), amountCents: owed },
        percent: 50,
      });
      if (told?.do === 'shrink') owed = told.amountCents;
      expect(owed).toBe(calculateShare(699 - refundedCents, 15));
    }
  });
});

describe('What went back', () => {
  test('is never more than was paid, in whatever order and however often it is told', () => {
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

  test('stays gone when an older list says that it was paid', () => {
    const back = payment({ refundedCents: 699, status: 'refunded' });
    const listed = { id: 'p1', amountCents: 699, currency: 'USD', at: back.paidAt, isRefunded: false };
    expect(mergePayments([back], [listed], [])).toEqual([back]);
  });
});

test('Of several things that are wrong with a subscription, whose it is comes first', () => {
  const wrong = told({
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
    'subscription_foreign',
    'subscription_wrong_plan',
    'subscription_not_active',
    'subscription_wrong_currency',
    'subscription_wrong_price',
    null,
  ]);
});
