import { describe, expect, test } from 'vitest';
import { BILLING } from '../../src/features/billing/limits.ts';
import { computeSubscriptionState, type Payment } from '../../src/features/billing/subscription-state.ts';
import { resolvePaidPlan } from '../../src/features/billing/paid-period.ts';
import type { ProviderSubscription } from '../../src/features/billing/payment-provider.ts';
import { computeSettlement } from '../../src/features/billing/settlement.ts';
import {
  findReplacements,
  type BillableSubscription,
} from '../../src/features/billing/subscription-rules.ts';
import {
  type MembershipSubscription,
  buildSubscriptionView,
} from '../../src/features/billing/subscription-view.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2027, 2, 10, 12);
const IN_A_MONTH = Date.UTC(2027, 3, 10, 12);

const NEW = {
  id: 'I-1',
  plan: 'storyteller' as const,
  status: 'active' as const,
  periodEnd: NOW,
  isFailing: false,
  wentBack: false,
  agreedCents: 699,
  payerHash: null,
  beginsAt: null,
  nextBillingAt: null,
  isClaimed: true,
  createdAt: NOW,
  updatedAt: NOW,
  checkedAt: 0,
};
type Row = Omit<typeof NEW, 'status' | 'agreedCents'> & {
  status: 'active' | 'suspended' | 'cancelled' | 'expired';
  agreedCents: number | null;
};
const told = (change: Partial<ProviderSubscription> = {}) =>
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
type Told = ReturnType<typeof told>;
const books = (row: Row, company: Told, { payments = [] as Payment[], isListed = true, now = NOW } = {}) =>
  computeSubscriptionState(row, company, { payments, agreedCents: 699, isListed, now });
/** Until when somebody has a plan by it. */
const until = (row: Row, company: Told, of?: Parameters<typeof books>[2]) =>
  resolvePaidPlan([{ ...row, ...books(row, company, of), payments: of?.payments ?? [] }], {
    hasUnpaid: new Set(),
    now: of?.now ?? NOW,
  })?.until;

describe('A first payment', () => {
  test('that never comes brings a day, and no month', () => {
    expect(until(NEW, told())).toBe(NOW + BILLING.settlementGraceMs);
    // Asked again and again, it is the same day.
    const row = { ...NEW, ...books(NEW, told()), checkedAt: NOW };
    const later = NOW + 20 * HOUR_MS;
    expect(until(row, told({ nextBillingAt: later + 30 * DAY_MS }), { now: later })).toBe(
      NOW + BILLING.settlementGraceMs,
    );
  });

  test('that is told of some minutes after the beginning brings the month', () => {
    const row = { ...NEW, ...books(NEW, told()), checkedAt: NOW };
    expect(books(row, told(), { payments: [payment()] }).periodEnd).toBe(IN_A_MONTH);
    const lastPayment = { amountCents: 699, currency: 'USD', at: NOW };
    expect(books(row, told({ lastPayment })).periodEnd).toBe(IN_A_MONTH);
  });

  test('that failed, or is not waited for, brings nothing at all', () => {
    for (const isListed of [true, false]) {
      expect(until(NEW, told({ failedPayments: 1 }), { isListed })).toBeLessThanOrEqual(NOW);
      expect(until(NEW, told({ status: 'suspended' }), { isListed })).toBeLessThanOrEqual(NOW);
    }
  });

  test('of which nobody can tell is the company’s own word, for as long as it says so', () => {
    const first = books(NEW, told(), { isListed: false });
    expect(first.periodEnd).toBe(IN_A_MONTH);
    const row = { ...NEW, ...first, checkedAt: NOW };
    const now = IN_A_MONTH + HOUR_MS;
    const next = told({ nextBillingAt: Date.UTC(2027, 4, 10, 12) });
    expect(books(row, next, { isListed: false, now }).periodEnd).toBe(Date.UTC(2027, 4, 10, 12));
    // It lists that nothing was paid: its word was that it will be.
    expect(books(row, told(), { now: NOW + DAY_MS }).periodEnd).toBe(NOW);
    // Also where it had been given up by then.
    expect(
      books(row, told({ status: 'cancelled' } as object), { now: NOW + DAY_MS }).periodEnd,
    ).toBeLessThanOrEqual(NOW);
    // And no word is about more than a month.
    const far = told({ nextBillingAt: NOW + 3000 * DAY_MS });
    expect(books(NEW, far, { isListed: false }).periodEnd).toBeLessThan(NOW + 40 * DAY_MS);
  });

  test('of one cent, or in another currency, buys nothing', () => {
    const cents = [payment({ amountCents: 1 }), payment({ id: 'p2', currency: 'JPY' })];
    expect(until(NEW, told(), { payments: cents })).toBe(NOW + BILLING.settlementGraceMs);
    const lastPayment = { amountCents: 1, currency: 'USD', at: NOW };
    expect(until(NEW, told({ lastPayment }), { isListed: false })).toBe(NOW + BILLING.settlementGraceMs);
    // Nor does the next one, of as little.
    const row = { ...NEW, ...books(NEW, told(), { payments: cents }), checkedAt: NOW };
    const again = [...cents, payment({ id: 'p3', amountCents: 1, paidAt: NOW + 30 * DAY_MS })];
    expect(until(row, told(), { payments: again, now: NOW + 30 * DAY_MS })).toBe(
      NOW + BILLING.settlementGraceMs,
    );
  });
});

describe('What was agreed to', () => {
  const RULES = { commission_percent: 15, storyteller_price_cents: 999 };
  const settled = (row: Row, company: Told, amountCents: number) =>
    computeSettlement(
      { row, own: [{ ...row, payments: [] }], hasUnpaid: new Set(), payments: [], commissions: [] },
      company,
      {
        paid: [{ id: 'p1', amountCents, currency: 'USD', at: NOW, isRefunded: false }],
        isListed: true,
        back: [],
        business: RULES,
        inviterSince: null,
        now: NOW,
      },
    );

  test('stays enough when the operator asks more of whoever begins now', () => {
    const { books: ours, terms, tooSmall } = settled(NEW, told(), 699);
    expect([ours.periodEnd, terms.agreedCents, tooSmall]).toEqual([IN_A_MONTH, 699, []]);
  });

  test('is what the company says of one from before it was kept, and else what it costs now', () => {
    const row = { ...NEW, agreedCents: null };
    const price = { cents: 699, currency: 'USD' };
    expect(settled(row, told({ price }), 699).terms.agreedCents).toBe(699);
    const unsaid = settled(row, told(), 699);
    expect(unsaid.terms.agreedCents).toBe(999);
    expect(unsaid.tooSmall).toMatchObject([{ id: 'p1' }]);
  });
});

describe('A company that says that it runs, and nothing of money', () => {
  const SILENT = { isListed: false };
  const silent = told({ nextBillingAt: null });

  test('is believed for the month from its beginning, and asked again for no more', () => {
    const first = books(NEW, silent, SILENT);
    expect(first.periodEnd).toBe(IN_A_MONTH);
    const row = { ...NEW, ...first, checkedAt: NOW };
    for (const now of [NOW + 20 * DAY_MS, IN_A_MONTH + 20 * DAY_MS])
      expect(books(row, silent, { ...SILENT, now }).periodEnd).toBe(IN_A_MONTH);
    const unsaid = told({ nextBillingAt: null, beganAt: null });
    expect(books(row, unsaid, { ...SILENT, now: NOW + 20 * DAY_MS }).periodEnd).toBe(IN_A_MONTH);
  });

  test('keeps me my month when I leave, and says when it ends', () => {
    const row = { ...NEW, ...books(NEW, silent, SILENT), checkedAt: NOW };
    const over = { ...row, ...books(row, { ...silent, status: 'cancelled' as never }, SILENT) };
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

  test('is not believed where it lists what was paid, where it fails, and of what is to begin', () => {
    expect(books(NEW, silent).periodEnd).toBe(NOW);
    expect(until(NEW, { ...silent, failedPayments: 1 }, SILENT)).toBeLessThanOrEqual(NOW);
    expect(until(NEW, { ...silent, beganAt: IN_A_MONTH }, SILENT)).toBeLessThanOrEqual(NOW);
  });

  test('and began long ago brings the day in which a payment is awaited', () => {
    const old = { ...silent, beganAt: NOW - 90 * DAY_MS };
    expect(until(NEW, old, SILENT)).toBe(NOW + BILLING.settlementGraceMs);
  });

  test('but of a payment long ago, when it is seen first, brings that day and no second one', () => {
    const lastPayment = { amountCents: 699, currency: 'USD', at: NOW - 90 * DAY_MS };
    const paid = { ...silent, beganAt: NOW - 90 * DAY_MS, lastPayment };
    expect(until(NEW, paid, SILENT)).toBe(NOW + BILLING.settlementGraceMs);
    const row = { ...NEW, ...books(NEW, paid, SILENT), checkedAt: NOW };
    expect(until(row, paid, { ...SILENT, now: NOW + 20 * HOUR_MS })).toBe(NOW + BILLING.settlementGraceMs);
    const lately = { ...lastPayment, at: NOW - DAY_MS };
    expect(books(NEW, { ...paid, lastPayment: lately }, SILENT).periodEnd).toBe(IN_A_MONTH - DAY_MS);
  });
});

describe('Of several subscriptions that run', () => {
  const LATER = NOW + 20 * 24 * HOUR_MS;
  const running = (id: string, change: Partial<BillableSubscription> = {}): BillableSubscription => ({
    id,
    status: 'active',
    payerHash: id,
    periodEnd: LATER,
    beginsAt: null,
    isFailing: false,
    createdAt: NOW - 10 * DAY_MS,
    isClaimed: false,
    ...change,
  });

  const same = { payerHash: 'me' };

  test('the newer takes the older’s place where it is of the same payer, once it is paid for', () => {
    const [newer, older] = [running('new', same), running('old', same)];
    expect(findReplacements([newer, older], NOW)).toEqual([{ older: 'old', newer: 'new' }]);
    expect(findReplacements([{ ...newer, periodEnd: NOW }, older], NOW)).toEqual([]);
    expect(findReplacements([{ ...newer, status: 'suspended' }, older], NOW)).toEqual([]);
  });

  test('one that somebody else pays ends nothing of mine that is paid, also when I have said that it is mine', () => {
    const mine = running('mine', { isClaimed: true });
    for (const payerHash of ['theirs', null])
      for (const isClaimed of [true, false])
        for (const own of [mine, { ...mine, payerHash: null }])
          expect(findReplacements([running('theirs', { payerHash, isClaimed }), own], NOW)).toEqual([]);
    // Nor does it stand in the way of my own newer one.
    expect(
      findReplacements([running('theirs'), running('mine too', { payerHash: 'mine' }), mine], NOW),
    ).toEqual([{ older: 'mine', newer: 'mine too' }]);
  });

  test('one that I have said is mine takes the place of what is not paid for, whoever pays', () => {
    const newer = running('new', { isClaimed: true });
    for (const unpaid of [
      { periodEnd: NOW - DAY_MS },
      { periodEnd: NOW, isFailing: true },
      { periodEnd: NOW, status: 'suspended' as const },
      { periodEnd: NOW, createdAt: NOW },
    ]) {
      const older = running('old', unpaid);
      expect(findReplacements([newer, older], NOW)).toEqual([{ older: 'old', newer: 'new' }]);
      expect(findReplacements([{ ...newer, isClaimed: false }, older], NOW)).toEqual([]);
    }
    // Not of what was paid for until just now: its next payment is on its way.
    expect(findReplacements([newer, running('old', { periodEnd: NOW })], NOW)).toEqual([]);
  });

  test('what is to come makes room at once, for what I said is mine and else for the newest', () => {
    const toCome = { beginsAt: LATER, periodEnd: NOW - DAY_MS };
    const [late, early] = [running('late', { ...same, ...toCome }), running('early', { ...same, ...toCome })];
    expect(findReplacements([late, early], NOW)).toEqual([{ older: 'early', newer: 'late' }]);
    expect(findReplacements([late, { ...early, isClaimed: true }], NOW)).toEqual([
      { older: 'late', newer: 'early' },
    ]);
    // What runs stays until the other has begun, and a stranger's present stays as it is.
    expect(findReplacements([late, running('now', same)], NOW)).toEqual([]);
    expect(findReplacements([running('theirs', toCome), { ...early, isClaimed: true }], NOW)).toEqual([]);
    expect(findReplacements([{ ...late, status: 'suspended' }, early], NOW)).toEqual([]);
  });
});

describe('A membership as I see it', () => {
  const row = (change: Partial<MembershipSubscription>): MembershipSubscription => ({
    ...NEW,
    status: 'cancelled',
    periodEnd: NOW - DAY_MS,
    createdAt: NOW - 40 * DAY_MS,
    payments: [],
    ...change,
  });
  const rules = { isGiven: false, until: null, client: null, now: NOW };

  test('says when it ended, and what it cost', () => {
    expect(buildSubscriptionView('free', [row({})], rules)).toMatchObject({
      status: 'cancelled',
      current_period_end: new Date(NOW - DAY_MS).toISOString(),
      pending_downgrade: false,
      price_cents: 699,
    });
  });

  test('does not say when something ended that was never paid for', () => {
    const never = row({ createdAt: NOW, periodEnd: NOW - DAY_MS });
    expect(buildSubscriptionView('free', [never], rules).current_period_end).toBeNull();
    expect(buildSubscriptionView('free', [], rules)).toMatchObject({
      current_period_end: null,
      price_cents: null,
    });
  });

  test('that began anew and is not paid for yet says nothing of the end of an earlier one', () => {
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
    // What is late itself says until when it was paid.
    const late = { ...lapsed, status: 'active' as const };
    expect(buildSubscriptionView('free', [late], rules)).toMatchObject({
      is_awaited: true,
      current_period_end: new Date(NOW - 40 * DAY_MS).toISOString(),
    });
  });

  test('says that a plan was given, also while one that was paid for runs out', () => {
    const leaving = row({ periodEnd: NOW + DAY_MS });
    expect(buildSubscriptionView('legend', [leaving], { ...rules, isGiven: true })).toMatchObject({
      is_given: true,
      pending_downgrade: true,
    });
  });
});
