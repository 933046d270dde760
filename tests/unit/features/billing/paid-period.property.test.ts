import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BILLING } from '../../../../src/features/billing/limits.ts';
import { calculateShare } from '../../../../src/features/billing/commission.ts';
import { addMonth } from '../../../../src/features/billing/months.ts';
import { resolvePaidPlan } from '../../../../src/features/billing/paid-period.ts';
import type { PaymentNotice } from '../../../../src/features/billing/payment-provider.ts';
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
} from '../../../support/paypal-model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The last day of a long month, before a shorter one. */
const BEGIN = Date.UTC(2027, 0, 31, 23, 30);

/** Events at the provider and the bank, and when they reach the product. */
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

/** When the payments that count end, computed independently of the code under test. */
function coveredUntil(remote: ModelledSubscription): number {
  let end = -Infinity;
  for (const sale of remote.sales) if (isPaid(sale)) end = addMonth(Math.max(end, sale.at));
  return end;
}

/** A simulation of the provider and the local records; events wait until they are delivered or lost. */
function createSimulation(id = 'I-1') {
  const remote = createModelledSubscription(id, BEGIN);
  const local = createLocalSubscription(id, BEGIN);
  const waiting: (PaymentNotice | null)[] = [];
  let now = BEGIN;
  let payouts = 0;
  const settle = (events: readonly PaymentNotice[], list: boolean) =>
    runReconciliation(local, [local], remote, { events, list, now });
  const tell = (event: PaymentNotice | null) => void waiting.push(event);

  function take(one: Step): void {
    switch (one.do) {
      case 'pass':
        now += one.hours * HOUR_MS;
        break;
      case 'due': {
        // The provider bills some hours after the payment is due.
        if (remote.status === 'active' && remote.nextBillingAt > now) break;
        const paid = billPayment(remote, { now, pays: one.pays });
        if (remote.status === 'active') tell(paid);
        break;
      }
      case 'refund':
      case 'reverse': {
        const sale = remote.sales[one.which % Math.max(1, remote.sales.length)];
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
        if (remote.status === 'active') remote.status = 'suspended';
        tell(null);
        break;
      case 'activate':
        if (remote.status === 'suspended') remote.status = 'active';
        tell(null);
        break;
      case 'cancel':
      case 'expire':
        if (remote.status === 'active' || remote.status === 'suspended')
          remote.status = one.do === 'cancel' ? 'cancelled' : 'expired';
        tell(null);
        break;
      case 'deliver': {
        const place = one.which % Math.max(1, waiting.length);
        const event = waiting[place];
        if (event === undefined) break;
        if (!one.again) waiting.splice(place, 1);
        if (event !== null) storeEvent(local, event);
        settle(event === null ? [] : [event], false);
        break;
      }
      case 'lose': {
        // Partial refunds are reported only by events, and the provider repeats these until they are accepted.
        const place = one.which % Math.max(1, waiting.length);
        if (waiting[place]?.what !== 'refund') waiting.splice(place, 1);
        break;
      }
      case 'ask':
        settle([], one.list);
        break;
      case 'payout':
        payouts += 1;
        for (const commission of local.commissions)
          if (commission.status === 'due')
            Object.assign(commission, { status: 'paid', payoutId: `p${payouts}` });
        break;
    }
  }

  return {
    remote,
    local,
    take,
    /** Delivers all waiting events in this order, then reconciles once with the list of payments. */
    end(order: readonly number[]) {
      const left = waiting
        .map((event, index) => ({ event, at: order[index % Math.max(1, order.length)] ?? 0 }))
        .sort((a, b) => a.at - b.at);
      for (const { event } of left) {
        if (event !== null) storeEvent(local, event);
        settle(event === null ? [] : [event], false);
      }
      return settle([], true);
    },
  };
}

const steps = fc.array(step, { minLength: 1, maxLength: 60 });
const order = fc.array(fc.nat(1000), { minLength: 1, maxLength: 30 });

const resolvePlan = (all: LocalSubscription[], now = BEGIN) =>
  resolvePaidPlan(all, { hasUnpaid: new Set(), now });

/** The plan lasts exactly as long as the payments that count. */
function expectPlan(remote: ModelledSubscription, local: LocalSubscription): void {
  const paidUntil = coveredUntil(remote);
  const plan = resolvePlan([local]);
  const isRunning = remote.status === 'active' && remote.failedPayments === 0;
  const until = plan?.until ?? -Infinity;
  if (remote.sales.length > 0) {
    // The plan ends with the paid period, plus the grace period while the next payment is pending.
    const isWaited = isRunning && isPaid(remote.sales.at(-1) as ModelledSubscription['sales'][number]);
    const last = Number.isFinite(paidUntil) ? paidUntil : (remote.sales[0]?.at ?? 0);
    expect(until).toBeLessThanOrEqual(last + (isWaited ? BILLING.settlementGraceMs : 0));
    if (Number.isFinite(paidUntil)) expect(until).toBeGreaterThanOrEqual(paidUntil);
  } else {
    expect(until).toBeLessThanOrEqual(BEGIN + BILLING.settlementGraceMs);
  }
}

/** At the end the local records must match those of the provider. */
function expectTrue(remote: ModelledSubscription, local: LocalSubscription): void {
  expectPlan(remote, local);
  expect(local.status).toBe(remote.status);
  expect(local.payments.map(({ id, refundedCents }) => [id, refundedCents])).toEqual(
    remote.sales.map((sale) => [sale.id, getRefundedCents(sale)]),
  );
  const shares = remote.sales
    .filter(isPaid)
    .reduce((sum, sale) => sum + calculateShare(PRICE_CENTS - getRefundedCents(sale), 15), 0);
  const owed = local.commissions
    .filter(({ status }) => status !== 'reversed')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  expect(Math.abs(owed - shares)).toBe(0);
}

/** The amounts due, paid and to be given back; the number of commissions does not matter. */
function owedIn({ commissions }: LocalSubscription): Record<string, number> {
  const sum = (of: (one: LocalSubscription['commissions'][number]) => boolean) =>
    commissions.filter(of).reduce((cents, { amountCents }) => cents + amountCents, 0);
  return {
    due: sum(({ status }) => status === 'due'),
    paid: sum(({ status }) => status === 'paid'),
    toGiveBack: sum(({ status, payoutId }) => status === 'reversed' && payoutId !== null),
  };
}

describe('Billing reconciliation', () => {
  test('the plan lasts as long as the payments, whatever events are lost, repeated or late', () => {
    fc.assert(
      fc.property(steps, order, (all, shuffled) => {
        const { remote, local, take, end } = createSimulation();
        for (const one of all) {
          take(one);
          // At any moment the plan exceeds the provider's own period by at most the grace period.
          const most = Math.max(BEGIN, ...remote.sales.map(({ at }) => at));
          expect(resolvePlan([local])?.until ?? 0).toBeLessThanOrEqual(
            addMonth(addMonth(most)) + BILLING.settlementGraceMs,
          );
        }
        end(shuffled);
        expectTrue(remote, local);
      }),
      { numRuns: 3000 },
    );
  });

  test('the order of events does not change the final state', () => {
    fc.assert(
      fc.property(steps, order, order, (all, one, other) => {
        const results = [one, other].map((shuffled) => {
          const { local, take, end } = createSimulation();
          for (const each of all) take(each);
          end(shuffled);
          const { status, periodEnd, paymentFailed, payments } = local;
          return { status, periodEnd, paymentFailed, payments, owed: owedIn(local) };
        });
        expect(results[0]).toEqual(results[1]);
      }),
      { numRuns: 1000 },
    );
  });

  test('settling after every event gives the same state as settling once at the end', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const quiet = new Set(['deliver', 'ask', 'lose', 'payout']);
        const happened = all.filter((one) => !quiet.has(one.do));
        const [stepwise, deferred] = [createSimulation(), createSimulation()];
        for (const one of happened) {
          stepwise.take(one);
          stepwise.take({ do: 'ask', list: true });
          expectPlan(stepwise.remote, stepwise.local);
          deferred.take(one);
        }
        stepwise.end([1]);
        deferred.end([1]);
        const of = ({ local }: typeof stepwise) => [local.status, local.payments, owedIn(local)];
        expect(of(deferred)).toEqual(of(stepwise));
        expectTrue(stepwise.remote, stepwise.local);
        expectTrue(deferred.remote, deferred.local);
      }),
      { numRuns: 1000 },
    );
  });

  test('two subscriptions give a user exactly the months paid for either of them', () => {
    fc.assert(
      fc.property(steps, steps, (one, other) => {
        const simulations = [createSimulation('I-1'), createSimulation('I-2')];
        for (const [index, all] of [one, other].entries())
          for (const each of all) simulations[index]?.take(each);
        for (const each of simulations) each.end([1]);
        const until = resolvePlan(simulations.map(({ local }) => local))?.until ?? 0;
        const paid = simulations.filter(({ remote }) => remote.sales.length > 0);
        const isAwaited = simulations.some(({ local }) => local.status === 'active' && !local.paymentFailed);
        // The months of both follow each other, whichever subscription paid for them.
        const all = paid.flatMap(({ remote }) => remote.sales).toSorted((a, b) => a.at - b.at);
        const both = coveredUntil({ ...createModelledSubscription('both', BEGIN), sales: all });
        if (Number.isFinite(both)) expect(until).toBeGreaterThanOrEqual(both);
        const firstSale = Math.max(0, ...paid.map(({ remote }) => remote.sales[0]?.at ?? 0));
        expect(until).toBeLessThanOrEqual(
          Math.max(BEGIN, both, firstSale) + (isAwaited ? BILLING.settlementGraceMs : 0),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('reconciling again without new events changes nothing', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { local, take, end } = createSimulation();
        for (const one of all) take(one);
        end([1]);
        const before = structuredClone({ ...local, reconciledAt: 0 });
        const again = end([1]);
        expect({ ...local, reconciledAt: 0 }).toEqual(before);
        expect(again).toMatchObject({ payments: [], shares: [], mails: [] });
      }),
      { numRuns: 500 },
    );
  });
});

test('a billing month is a calendar month and ends on the last day of a shorter month', () => {
  const after = (text: string) => new Date(addMonth(Date.parse(text))).toISOString();
  expect(after('2027-01-31T10:00:00Z')).toBe('2027-02-28T10:00:00.000Z');
  expect(after('2028-01-31T10:00:00Z')).toBe('2028-02-29T10:00:00.000Z');
  expect(after('2027-12-31T23:59:59Z')).toBe('2028-01-31T23:59:59.000Z');
  expect(after('2027-02-28T00:00:00Z')).toBe('2027-03-28T00:00:00.000Z');
  expect(DAY_MS).toBe(BILLING.settlementGraceMs);
});
