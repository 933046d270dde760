import { describe, expect, test } from 'vitest';
import { BILLING } from '../../../../src/features/billing/limits.ts';
import {
  computeSubscriptionState,
  type Payment,
} from '../../../../src/features/billing/subscription-state.ts';
import { resolvePaidPlan } from '../../../../src/features/billing/paid-period.ts';
import type { ProviderSubscription } from '../../../../src/features/billing/payment-provider.ts';
import { computeSettlement } from '../../../../src/features/billing/settlement.ts';
import {
  findReplacements,
  type BillableSubscription,
} from '../../../../src/features/billing/subscription-rules.ts';
import {
  type MembershipSubscription,
  buildSubscriptionView,
} from '../../../../src/features/billing/subscription-view.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2027, 2, 10, 12);
const IN_A_MONTH = Date.UTC(2027, 3, 10, 12);

const NEW = {
  id: 'I-1',
  plan: 'storyteller' as const,
  status: 'active' as const,
  periodEnd: NOW,
  paymentFailed: false,
  isRefunded: false,
  priceCents: 699,
  payerHash: null,
  startsAt: null,
  nextBillingAt: null,
  isClaimed: true,
  createdAt: NOW,
  updatedAt: NOW,
  reconciledAt: 0,
};
type Row = Omit<typeof NEW, 'status' | 'priceCents'> & {
  status: 'active' | 'suspended' | 'cancelled' | 'expired';
  priceCents: number | null;
};
const createRemote = (change: Partial<ProviderSubscription> = {}) =>
  ({
    id: 'I-1',
    status: 'active',
    planId: 'P-1',
    customId: 'u1',
    payerHash: null,
    nextBillingAt: IN_A_MONTH,
    beganAt: NOW,
    lastPayment: null,
    failedPayments: 0,
    price: null,
    amounts: [],
    ...change,
  }) as ProviderSubscription & { status: 'active' };
const payment = (change: Partial<Payment> = {}): Payment => ({
  id: 'p1',
  amountCents: 699,
  currency: 'USD',
  status: 'completed',
  refundedCents: 0,
  paidAt: NOW,
  ...change,
});
type Remote = ReturnType<typeof createRemote>;
const computeState = (
  row: Row,
  remote: Remote,
  { payments = [] as Payment[], isListed = true, now = NOW } = {},
) => computeSubscriptionState(row, remote, { payments, priceCents: 699, isListed, now });
/** When the plan from this subscription ends. */
const getPlanEnd = (row: Row, remote: Remote, of?: Parameters<typeof computeState>[2]) =>
  resolvePaidPlan([{ ...row, ...computeState(row, remote, of), payments: of?.payments ?? [] }], {
    hasUnpaid: new Set(),
    now: of?.now ?? NOW,
  })?.until;

describe('First payment', () => {
  test('a first payment that never arrives gives one day of the plan', () => {
    expect(getPlanEnd(NEW, createRemote())).toBe(NOW + BILLING.settlementGraceMs);
    // Checking again does not extend the day.
    const row = { ...NEW, ...computeState(NEW, createRemote()), reconciledAt: NOW };
    const later = NOW + 20 * HOUR_MS;
    expect(getPlanEnd(row, createRemote({ nextBillingAt: later + 30 * DAY_MS }), { now: later })).toBe(
      NOW + BILLING.settlementGraceMs,
    );
  });

  test('a first payment reported minutes after the start gives the month', () => {
    const row = { ...NEW, ...computeState(NEW, createRemote()), reconciledAt: NOW };
    expect(computeState(row, createRemote(), { payments: [payment()] }).periodEnd).toBe(IN_A_MONTH);
    const lastPayment = { amountCents: 699, currency: 'USD', at: NOW };
    expect(computeState(row, createRemote({ lastPayment })).periodEnd).toBe(IN_A_MONTH);
  });

  test('a first payment that failed or is not expected gives nothing', () => {
    for (const isListed of [true, false]) {
      expect(getPlanEnd(NEW, createRemote({ failedPayments: 1 }), { isListed })).toBeLessThanOrEqual(NOW);
      expect(getPlanEnd(NEW, createRemote({ status: 'suspended' }), { isListed })).toBeLessThanOrEqual(NOW);
    }
  });

  test('without a list of payments the provider’s next billing date counts for at most a month', () => {
    const first = computeState(NEW, createRemote(), { isListed: false });
    expect(first.periodEnd).toBe(IN_A_MONTH);
    const row = { ...NEW, ...first, reconciledAt: NOW };
    const now = IN_A_MONTH + HOUR_MS;
    const next = createRemote({ nextBillingAt: Date.UTC(2027, 4, 10, 12) });
    expect(computeState(row, next, { isListed: false, now }).periodEnd).toBe(Date.UTC(2027, 4, 10, 12));
    // The list shows no payment, so the date announced before does not count.
    expect(computeState(row, createRemote(), { now: NOW + DAY_MS }).periodEnd).toBe(NOW);
    // The same holds for a subscription cancelled by then.
    expect(
      computeState(row, createRemote({ status: 'cancelled' } as object), { now: NOW + DAY_MS }).periodEnd,
    ).toBeLessThanOrEqual(NOW);
    // An announced date counts for at most a month.
    const far = createRemote({ nextBillingAt: NOW + 3000 * DAY_MS });
    expect(computeState(NEW, far, { isListed: false }).periodEnd).toBeLessThan(NOW + 40 * DAY_MS);
  });

  test('a payment of one cent or in another currency buys nothing', () => {
    const cents = [payment({ amountCents: 1 }), payment({ id: 'p2', currency: 'JPY' })];
    expect(getPlanEnd(NEW, createRemote(), { payments: cents })).toBe(NOW + BILLING.settlementGraceMs);
    const lastPayment = { amountCents: 1, currency: 'USD', at: NOW };
    expect(getPlanEnd(NEW, createRemote({ lastPayment }), { isListed: false })).toBe(
      NOW + BILLING.settlementGraceMs,
    );
    // The next payment of the same amount buys nothing either.
    const row = { ...NEW, ...computeState(NEW, createRemote(), { payments: cents }), reconciledAt: NOW };
    const again = [...cents, payment({ id: 'p3', amountCents: 1, paidAt: NOW + 30 * DAY_MS })];
    expect(getPlanEnd(row, createRemote(), { payments: again, now: NOW + 30 * DAY_MS })).toBe(
      NOW + BILLING.settlementGraceMs,
    );
  });
});

describe('Agreed price', () => {
  const RULES = { commission_percent: 15, storyteller_price_cents: 999 };
  const settled = (row: Row, remote: Remote, amountCents: number) =>
    computeSettlement(
      { row, own: [{ ...row, payments: [] }], hasUnpaid: new Set(), payments: [], commissions: [] },
      remote,
      {
        paid: [{ id: 'p1', amountCents, currency: 'USD', at: NOW, isRefunded: false }],
        isListed: true,
        back: [],
        business: RULES,
        inviterSince: null,
        now: NOW,
      },
    );

  test('a raised price does not apply to existing subscriptions', () => {
    const { books: state, terms, tooSmall } = settled(NEW, createRemote(), 699);
    expect([state.periodEnd, terms.priceCents, tooSmall]).toEqual([IN_A_MONTH, 699, []]);
  });

  test('a missing agreed price is taken from the provider, or else from the current price', () => {
    const row = { ...NEW, priceCents: null };
    const price = { cents: 699, currency: 'USD' };
    expect(settled(row, createRemote({ price }), 699).terms.priceCents).toBe(699);
    const unsaid = settled(row, createRemote(), 699);
    expect(unsaid.terms.priceCents).toBe(999);
    expect(unsaid.tooSmall).toMatchObject([{ id: 'p1' }]);
  });
});

describe('Provider without payment data', () => {
  const SILENT = { isListed: false };
  const silent = createRemote({ nextBillingAt: null });

  test('an active subscription without payment data is paid for one month from its start', () => {
    const first = computeState(NEW, silent, SILENT);
    expect(first.periodEnd).toBe(IN_A_MONTH);
    const row = { ...NEW, ...first, reconciledAt: NOW };
    for (const now of [NOW + 20 * DAY_MS, IN_A_MONTH + 20 * DAY_MS])
      expect(computeState(row, silent, { ...SILENT, now }).periodEnd).toBe(IN_A_MONTH);
    const unsaid = createRemote({ nextBillingAt: null, beganAt: null });
    expect(computeState(row, unsaid, { ...SILENT, now: NOW + 20 * DAY_MS }).periodEnd).toBe(IN_A_MONTH);
  });

  test('cancelling a subscription without payment data keeps the month and shows its end', () => {
    const row = { ...NEW, ...computeState(NEW, silent, SILENT), reconciledAt: NOW };
    const over = { ...row, ...computeState(row, { ...silent, status: 'cancelled' as never }, SILENT) };
    expect(over).toMatchObject({ status: 'cancelled', periodEnd: IN_A_MONTH });
    expect(
      buildSubscriptionView('storyteller', [{ ...over, payments: [] }], {
        isGiven: false,
        until: null,
        client: null,
        now: NOW,
      }),
    ).toMatchObject({
      pending_downgrade: true,
      current_period_end: new Date(IN_A_MONTH).toISOString(),
    });
  });

  test('a silent provider is not trusted if it lists payments, reports failures or starts later', () => {
    expect(computeState(NEW, silent).periodEnd).toBe(NOW);
    expect(getPlanEnd(NEW, { ...silent, failedPayments: 1 }, SILENT)).toBeLessThanOrEqual(NOW);
    expect(getPlanEnd(NEW, { ...silent, beganAt: IN_A_MONTH }, SILENT)).toBeLessThanOrEqual(NOW);
  });

  test('an old subscription without payment data gives the day of waiting for a payment', () => {
    const old = { ...silent, beganAt: NOW - 90 * DAY_MS };
    expect(getPlanEnd(NEW, old, SILENT)).toBe(NOW + BILLING.settlementGraceMs);
  });

  test('an old last payment gives the day of waiting once, and a recent one gives the rest of its month', () => {
    const lastPayment = { amountCents: 699, currency: 'USD', at: NOW - 90 * DAY_MS };
    const paid = { ...silent, beganAt: NOW - 90 * DAY_MS, lastPayment };
    expect(getPlanEnd(NEW, paid, SILENT)).toBe(NOW + BILLING.settlementGraceMs);
    const row = { ...NEW, ...computeState(NEW, paid, SILENT), reconciledAt: NOW };
    expect(getPlanEnd(row, paid, { ...SILENT, now: NOW + 20 * HOUR_MS })).toBe(
      NOW + BILLING.settlementGraceMs,
    );
    const lately = { ...lastPayment, at: NOW - DAY_MS };
    expect(computeState(NEW, { ...paid, lastPayment: lately }, SILENT).periodEnd).toBe(IN_A_MONTH - DAY_MS);
  });
});

describe('Overlapping subscriptions', () => {
  const LATER = NOW + 20 * 24 * HOUR_MS;
  const running = (id: string, change: Partial<BillableSubscription> = {}): BillableSubscription => ({
    id,
    status: 'active',
    payerHash: id,
    periodEnd: LATER,
    startsAt: null,
    paymentFailed: false,
    createdAt: NOW - 10 * DAY_MS,
    isClaimed: false,
    ...change,
  });

  const same = { payerHash: 'me' };

  test('a newer subscription of the same payer replaces the older one once it is paid', () => {
    const [newer, older] = [running('new', same), running('old', same)];
    expect(findReplacements([newer, older], NOW)).toEqual([{ older: 'old', newer: 'new' }]);
    expect(findReplacements([{ ...newer, periodEnd: NOW }, older], NOW)).toEqual([]);
    expect(findReplacements([{ ...newer, status: 'suspended' }, older], NOW)).toEqual([]);
  });

  test('a subscription paid by another person never ends a paid one of the user', () => {
    const mine = running('mine', { isClaimed: true });
    for (const payerHash of ['theirs', null])
      for (const isClaimed of [true, false])
        for (const own of [mine, { ...mine, payerHash: null }])
          expect(findReplacements([running('theirs', { payerHash, isClaimed }), own], NOW)).toEqual([]);
    // It also does not keep the user's own newer subscription from replacing the older one.
    expect(
      findReplacements([running('theirs'), running('mine too', { payerHash: 'mine' }), mine], NOW),
    ).toEqual([{ older: 'mine', newer: 'mine too' }]);
  });

  test('a claimed subscription replaces an unpaid one, also of another payer', () => {
    const newer = running('new', { isClaimed: true });
    for (const unpaid of [
      { periodEnd: NOW - DAY_MS },
      { periodEnd: NOW, paymentFailed: true },
      { periodEnd: NOW, status: 'suspended' as const },
      { periodEnd: NOW, createdAt: NOW },
    ]) {
      const older = running('old', unpaid);
      expect(findReplacements([newer, older], NOW)).toEqual([{ older: 'old', newer: 'new' }]);
      expect(findReplacements([{ ...newer, isClaimed: false }, older], NOW)).toEqual([]);
    }
    // A subscription paid until just now stays, because its next payment is on its way.
    expect(findReplacements([newer, running('old', { periodEnd: NOW })], NOW)).toEqual([]);
  });

  test('among subscriptions that start later, the claimed or else the newest one replaces the others', () => {
    const toCome = { startsAt: LATER, periodEnd: NOW - DAY_MS };
    const [late, early] = [running('late', { ...same, ...toCome }), running('early', { ...same, ...toCome })];
    expect(findReplacements([late, early], NOW)).toEqual([{ older: 'early', newer: 'late' }]);
    expect(findReplacements([late, { ...early, isClaimed: true }], NOW)).toEqual([
      { older: 'late', newer: 'early' },
    ]);
    // An active subscription stays until the other one starts, and one paid by a stranger stays.
    expect(findReplacements([late, running('now', same)], NOW)).toEqual([]);
    expect(findReplacements([running('theirs', toCome), { ...early, isClaimed: true }], NOW)).toEqual([]);
    expect(findReplacements([{ ...late, status: 'suspended' }, early], NOW)).toEqual([]);
  });
});

describe('Membership view', () => {
  const row = (change: Partial<MembershipSubscription>): MembershipSubscription => ({
    ...NEW,
    status: 'cancelled',
    periodEnd: NOW - DAY_MS,
    createdAt: NOW - 40 * DAY_MS,
    payments: [],
    ...change,
  });
  const rules = { isGiven: false, until: null, client: null, now: NOW };

  test('an ended membership shows when it ended and what it cost', () => {
    expect(buildSubscriptionView('free', [row({})], rules)).toMatchObject({
      status: 'cancelled',
      current_period_end: new Date(NOW - DAY_MS).toISOString(),
      pending_downgrade: false,
      price_cents: 699,
    });
  });

  test('a membership that was never paid shows no end date', () => {
    const never = row({ createdAt: NOW, periodEnd: NOW - DAY_MS });
    expect(buildSubscriptionView('free', [never], rules).current_period_end).toBeNull();
    expect(buildSubscriptionView('free', [], rules)).toMatchObject({
      current_period_end: null,
      price_cents: null,
    });
  });

  test('a new unpaid membership does not show the end of an earlier one', () => {
    const lapsed = row({
      createdAt: NOW - 70 * DAY_MS,
      periodEnd: NOW - 40 * DAY_MS,
      payments: [payment({ paidAt: NOW - 70 * DAY_MS })],
    });
    const fresh = row({
      id: 'I-2',
      status: 'active',
      createdAt: NOW - 2 * DAY_MS,
      periodEnd: NOW - 2 * DAY_MS,
    });
    expect(buildSubscriptionView('free', [fresh, lapsed], rules)).toMatchObject({
      status: 'active',
      is_awaited: true,
      current_period_end: null,
    });
    // A late subscription shows until when it was paid.
    const late = { ...lapsed, status: 'active' as const };
    expect(buildSubscriptionView('free', [late], rules)).toMatchObject({
      is_awaited: true,
      current_period_end: new Date(NOW - 40 * DAY_MS).toISOString(),
    });
  });

  test('a given plan is shown as given while a paid one runs out', () => {
    const leaving = row({ periodEnd: NOW + DAY_MS });
    expect(buildSubscriptionView('legend', [leaving], { ...rules, isGiven: true })).toMatchObject({
      is_given: true,
      pending_downgrade: true,
    });
  });
});
