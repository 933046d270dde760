import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BILLING } from '../../src/features/billing/limits.ts';
import { calculateShare } from '../../src/features/billing/commission.ts';
import { addMonth } from '../../src/features/billing/months.ts';
import { resolvePaidPlan as planOfAll } from '../../src/features/billing/paid-period.ts';
import type { PaymentNotice } from '../../src/features/billing/payment-provider.ts';
import {
  type ModelledSubscription,
  createModelledSubscription,
  billPayment,
  storeEvent,
  type LocalSubscription,
  PRICE_CENTS,
  runReconciliation,
  isPaid,
  createLocalSubscription,
  getRefundedCents,
} from '../support/paypal-model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A moment before a month that is shorter. */
const BEGIN = Date.UTC(2027, 0, 31, 23, 30);

/** What happens at the company and at banks, and what of it reaches us, when. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 24 * 20 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('due' as const), pays: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('refund' as const, 'reverse' as const),
      which: fc.nat(8),
      cents: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('suspend' as const, 'cancel' as const, 'expire' as const, 'activate' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('deliver' as const), which: fc.nat(20), again: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose' as const), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask' as const), list: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('payout' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Until when what stands is enough, reckoned here by itself. */
function coveredUntil(company: ModelledSubscription): number {
  let end = -Infinity;
  for (const sale of company.sales) if (isPaid(sale)) end = addMonth(Math.max(end, sale.at));
  return end;
}

/** A world in which all of it happens; events wait until they are delivered or lost. */
function world(id = 'I-1') {
  const company = createModelledSubscription(id, BEGIN);
  const books = createLocalSubscription(id, BEGIN);
  const waiting: (PaymentNotice | null)[] = [];
  let now = BEGIN;
  let payouts = 0;
  const settle = (events: readonly PaymentNotice[], list: boolean) =>
    runReconciliation(books, [books], company, { events, list, now });
  const tell = (event: PaymentNotice | null) => void waiting.push(event);

  function take(one: Step): void {
    switch (one.do) {
      case 'pass':
        now += one.hours * HOUR_MS;
        break;
      case 'due': {
        // The company takes its money some hours after it is due.
        if (company.status === 'active' && company.nextBillingAt > now) break;
        const paid = billPayment(company, { now, pays: one.pays });
        if (company.status === 'active') tell(paid);
        break;
      }
      case 'refund':
      case 'reverse': {
        const sale = company.sales[one.which % Math.max(1, company.sales.length)];
        if (sale === undefined || !isPaid(sale)) break;
        if (one.do === 'reverse') {
          sale.isReversed = true;
          tell({ what: 'reversed', paymentId: sale.id, at: now });
          break;
        }
        const amountCents = Math.min(one.cents, PRICE_CENTS - getRefundedCents(sale));
        const id = `${sale.id}/${sale.back.length}`;
        sale.back.push({ id, amountCents });
        tell({ what: 'refund', id, paymentId: sale.id, amountCents, currency: 'USD', at: now });
        break;
      }
      case 'suspend':
        if (company.status === 'active') company.status = 'suspended';
        tell(null);
        break;
      case 'activate':
        if (company.status === 'suspended') company.status = 'active';
        tell(null);
        break;
      case 'cancel':
      case 'expire':
        if (company.status === 'active' || company.status === 'suspended')
          company.status = one.do === 'cancel' ? 'cancelled' : 'expired';
        tell(null);
        break;
      case 'deliver': {
        const place = one.which % Math.max(1, waiting.length);
        const event = waiting[place];
        if (event === undefined) break;
        if (!one.again) waiting.splice(place, 1);
        if (event !== null) storeEvent(books, event);
        settle(event === null ? [] : [event], false);
        break;
      }
      case 'lose': {
        // What went back in part is told of by events alone: those come again until they are taken.
        const place = one.which % Math.max(1, waiting.length);
        if (waiting[place]?.what !== 'refund') waiting.splice(place, 1);
        break;
      }
      case 'ask':
        settle([], one.list);
        break;
      case 'payout':
        payouts += 1;
        for (const commission of books.commissions)
          if (commission.status === 'due')
            Object.assign(commission, { status: 'paid', payoutId: `p${payouts}` });
        break;
    }
  }

  return {
    company,
    books,
    take,
    /** Everything that waits arrives, in an order, and then is asked after once more. */
    end(order: readonly number[]) {
      const left = waiting
        .map((event, index) => ({ event, at: order[index % Math.max(1, order.length)] ?? 0 }))
        .sort((a, b) => a.at - b.at);
      for (const { event } of left) {
        if (event !== null) storeEvent(books, event);
        settle(event === null ? [] : [event], false);
      }
      return settle([], true);
    },
  };
}

const steps = fc.array(step, { minLength: 1, maxLength: 60 });
const order = fc.array(fc.nat(1000), { minLength: 1, maxLength: 30 });

const planOf = (all: LocalSubscription[], now = BEGIN) => planOfAll(all, { hasUnpaid: new Set(), now });

/** Nobody has more than is paid for, nor less. */
function expectPlan(company: ModelledSubscription, books: LocalSubscription): void {
  const paidUntil = coveredUntil(company);
  const plan = planOf([books]);
  const isRunning = company.status === 'active' && company.failedPayments === 0;
  const until = plan?.until ?? -Infinity;
  if (company.sales.length > 0) {
    // Nobody keeps what is not paid for, but for the day in which the next payment is on its way.
    const isWaited = isRunning && isPaid(company.sales.at(-1) as ModelledSubscription['sales'][number]);
    const last = Number.isFinite(paidUntil) ? paidUntil : (company.sales[0]?.at ?? 0);
    expect(until).toBeLessThanOrEqual(last + (isWaited ? BILLING.settlementGraceMs : 0));
    // And nobody loses what is.
    if (Number.isFinite(paidUntil)) expect(until).toBeGreaterThanOrEqual(paidUntil);
  } else {
    expect(until).toBeLessThanOrEqual(BEGIN + BILLING.settlementGraceMs);
  }
}

/** What the company and our books have in the end must be one. */
function expectTrue(company: ModelledSubscription, books: LocalSubscription): void {
  expectPlan(company, books);
  expect(books.status).toBe(company.status);
  expect(books.payments.map(({ id, refundedCents }) => [id, refundedCents])).toEqual(
    company.sales.map((sale) => [sale.id, getRefundedCents(sale)]),
  );
  const shares = company.sales
    .filter(isPaid)
    .reduce((sum, sale) => sum + calculateShare(PRICE_CENTS - getRefundedCents(sale), 15), 0);
  const owed = books.commissions
    .filter(({ status }) => status !== 'reversed')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  expect(Math.abs(owed - shares)).toBe(0);
}

/** What inviters have of it, and what they are to give back: in how many pieces makes no difference. */
function owedIn({ commissions }: LocalSubscription): Record<string, number> {
  const sum = (of: (one: LocalSubscription['commissions'][number]) => boolean) =>
    commissions.filter(of).reduce((cents, { amountCents }) => cents + amountCents, 0);
  return {
    due: sum(({ status }) => status === 'due'),
    paid: sum(({ status }) => status === 'paid'),
    toGiveBack: sum(({ status, payoutId }) => status === 'reversed' && payoutId !== null),
  };
}

describe('The books', () => {
  test('hold whatever happens, is lost, repeated or late: nobody keeps what is not paid for, nobody loses what is', () => {
    fc.assert(
      fc.property(steps, order, (all, shuffled) => {
        const { company, books, take, end } = world();
        for (const one of all) {
          take(one);
          // At no moment more than the company has, and a day.
          const most = Math.max(BEGIN, ...company.sales.map(({ at }) => at));
          expect(planOf([books])?.until ?? 0).toBeLessThanOrEqual(
            addMonth(addMonth(most)) + BILLING.settlementGraceMs,
          );
        }
        end(shuffled);
        expectTrue(company, books);
      }),
      { numRuns: 3000 },
    );
  });

  test('are the same in whatever order it is told', () => {
    fc.assert(
      fc.property(steps, order, order, (all, one, other) => {
        const told = [one, other].map((shuffled) => {
          const { books, take, end } = world();
          for (const each of all) take(each);
          end(shuffled);
          const { status, periodEnd, isFailing, payments } = books;
          return { status, periodEnd, isFailing, payments, owed: owedIn(books) };
        });
        expect(told[0]).toEqual(told[1]);
      }),
      { numRuns: 1000 },
    );
  });

  test('are the same whether everything was told of as it happened, or nothing until the end', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const quiet = new Set(['deliver', 'ask', 'lose', 'payout']);
        const happened = all.filter((one) => !quiet.has(one.do));
        const [told, asked] = [world(), world()];
        for (const one of happened) {
          told.take(one);
          told.take({ do: 'ask', list: true });
          expectPlan(told.company, told.books);
          asked.take(one);
        }
        told.end([1]);
        asked.end([1]);
        const of = ({ books }: typeof told) => [books.status, books.payments, owedIn(books)];
        expect(of(asked)).toEqual(of(told));
        expectTrue(told.company, told.books);
        expectTrue(asked.company, asked.books);
      }),
      { numRuns: 1000 },
    );
  });

  test('of two subscriptions give one person what is paid of either, and no more', () => {
    fc.assert(
      fc.property(steps, steps, (one, other) => {
        const worlds = [world('I-1'), world('I-2')];
        for (const [index, all] of [one, other].entries()) for (const each of all) worlds[index]?.take(each);
        for (const each of worlds) each.end([1]);
        const until = planOf(worlds.map(({ books }) => books))?.until ?? 0;
        const paid = worlds.filter(({ company }) => company.sales.length > 0);
        const isAwaited = worlds.some(({ books }) => books.status === 'active' && !books.isFailing);
        // Month by month, one after the other, whichever of them it is of.
        const all = paid.flatMap(({ company }) => company.sales).toSorted((a, b) => a.at - b.at);
        const both = coveredUntil({ ...createModelledSubscription('both', BEGIN), sales: all });
        if (Number.isFinite(both)) expect(until).toBeGreaterThanOrEqual(both);
        const gone = Math.max(0, ...paid.map(({ company }) => company.sales[0]?.at ?? 0));
        expect(until).toBeLessThanOrEqual(
          Math.max(BEGIN, both, gone) + (isAwaited ? BILLING.settlementGraceMs : 0),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('say again what they said when nothing has happened', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { books, take, end } = world();
        for (const one of all) take(one);
        end([1]);
        const before = structuredClone({ ...books, checkedAt: 0 });
        const again = end([1]);
        expect({ ...books, checkedAt: 0 }).toEqual(before);
        expect(again).toMatchObject({ payments: [], shares: [], told: [] });
      }),
      { numRuns: 500 },
    );
  });
});

test('A month is a calendar month, and ends on its last day where that is earlier', () => {
  const after = (text: string) => new Date(addMonth(Date.parse(text))).toISOString();
  expect(after('2027-01-31T10:00:00Z')).toBe('2027-02-28T10:00:00.000Z');
  expect(after('2028-01-31T10:00:00Z')).toBe('2028-02-29T10:00:00.000Z');
  expect(after('2027-12-31T23:59:59Z')).toBe('2028-01-31T23:59:59.000Z');
  expect(after('2027-02-28T00:00:00Z')).toBe('2027-03-28T00:00:00.000Z');
  expect(DAY_MS).toBe(BILLING.settlementGraceMs);
});
