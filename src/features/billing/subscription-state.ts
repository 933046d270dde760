import { BILLING } from './limits.ts';
import { hasStarted } from './activation.ts';
import { addMonth } from './months.ts';
import type { ProviderPayment, ProviderSubscription } from './payment-provider.ts';
import type { SubscriptionStatus } from './subscription-rules.ts';

/*
 * Derives the state of a subscription from its known payments and the provider's current answer. Events are no input,
 * they only trigger the question. So the result does not depend on their order, their number or whether they arrived.
 */

/** A stored payment. A partial refund only shows in `refundedCents`. */
export interface Payment {
  id: string;
  amountCents: number;
  currency: string;
  status: 'completed' | 'refunded' | 'reversed';
  refundedCents: number;
  paidAt: number;
}

/** A partial or full refund of a payment. */
export interface Refund {
  paymentId: string;
  /** Null for the whole payment. */
  amountCents: number | null;
  isReversal: boolean;
}

/** The previously stored state of a subscription. */
export interface StoredSubscription {
  status: SubscriptionStatus;
  periodEnd: number;
  paymentFailed: boolean;
  /** When we first saw it. */
  createdAt: number;
  /** When the provider was last asked; 0 before the first settlement. */
  reconciledAt: number;
}

export interface SubscriptionState {
  status: SubscriptionStatus;
  /** Paid until then. */
  periodEnd: number;
  /** The last payment failed. */
  paymentFailed: boolean;
  /** The last payment was refunded. */
  isRefunded: boolean;
}

/**
 * Merges known payments with newly reported ones and refunds. A refund is never undone, so order and repetition do not
 * matter.
 */
export function mergePayments(
  known: readonly Payment[],
  reported: readonly ProviderPayment[],
  back: readonly Refund[],
): Payment[] {
  const merged = new Map<string, Payment>(known.map((payment) => [payment.id, { ...payment }]));
  for (const { id, amountCents, currency, at, isRefunded } of reported) {
    const there = merged.get(id);
    const payment: Payment = there ?? {
      id,
      amountCents,
      currency,
      status: 'completed',
      refundedCents: 0,
      paidAt: at,
    };
    payment.paidAt = Math.min(payment.paidAt, at);
    if (isRefunded) payment.refundedCents = payment.amountCents;
    merged.set(id, payment);
  }
  for (const payment of merged.values()) {
    const own = back.filter(({ paymentId }) => paymentId === payment.id);
    const sum = own.reduce((cents, { amountCents }) => cents + (amountCents ?? payment.amountCents), 0);
    const isReversed = payment.status === 'reversed' || own.some(({ isReversal }) => isReversal);
    payment.refundedCents = isReversed
      ? payment.amountCents
      : Math.min(payment.amountCents, Math.max(payment.refundedCents, sum));
    if (isReversed) payment.status = 'reversed';
    else if (payment.refundedCents >= payment.amountCents) payment.status = 'refunded';
  }
  return [...merged.values()].sort((a, b) => a.paidAt - b.paidAt || (a.id < b.id ? -1 : 1));
}

/** A charge, and whether its payment is still valid. */
interface Charge {
  at: number;
  isValid: boolean;
}

/** Whether a payment has at least the agreed amount, in our currency. */
export const isSufficient = (
  { amountCents, currency }: { amountCents: number; currency: string },
  priceCents: number,
): boolean => currency === BILLING.currency && amountCents >= priceCents;

/**
 * Returns all charges, oldest first: payments by their ids, and the provider's last payment if no known payment matches
 * it.
 */
function listCharges(
  payments: readonly Payment[],
  remote: ProviderSubscription,
  priceCents: number,
): Charge[] {
  const charges = payments
    .filter((payment) => isSufficient(payment, priceCents))
    .map(({ paidAt, status }) => ({ at: paidAt, isValid: status === 'completed' }));
  const last = remote.lastPayment;
  const isNamed = payments.some(
    ({ paidAt }) => last !== null && paidAt >= last.at - BILLING.samePaymentWindowMs,
  );
  if (last !== null && !isNamed && isSufficient(last, priceCents))
    charges.push({ at: last.at, isValid: true });
  return charges;
}

/** Returns until when the valid charges pay, one month each, in sequence; null when none is valid. */
function computeCoveredUntil(taken: readonly Charge[]): number | null {
  let end: number | null = null;
  for (const { at, isValid } of taken) if (isValid) end = addMonth(Math.max(end ?? at, at));
  return end;
}

/** Payment data in addition to the provider's answer about the subscription itself. */
interface Evidence {
  /** Merged, oldest first. */
  payments: readonly Payment[];
  /** The agreed monthly price. */
  priceCents: number;
  /** The provider has listed the payments: a payment that is not in the list was not made. */
  isListed: boolean;
  now: number;
}

/**
 * Computes the state to store.
 * @param remote the provider's answer about a subscription that has started
 */
export function computeSubscriptionState(
  known: StoredSubscription,
  { status, ...remote }: ProviderSubscription & { status: SubscriptionStatus },
  evidence: Evidence,
): SubscriptionState {
  const taken = listCharges(evidence.payments, { status, ...remote }, evidence.priceCents);
  const latest = taken.at(-1);
  const isRefunded = latest !== undefined && !latest.isValid;
  const paymentFailed = (status === 'active' || status === 'suspended') && remote.failedPayments > 0;
  const isRunning = status === 'active' && !paymentFailed && !isRefunded;
  const answer = { ...remote, status, isRunning };
  return {
    status,
    paymentFailed,
    isRefunded,
    periodEnd:
      latest === undefined
        ? computeUnpaidEnd(known, answer, evidence)
        : computePaidEnd(known, answer, { ...evidence, taken }),
  };
}

type ProviderAnswer = ProviderSubscription & { status: SubscriptionStatus; isRunning: boolean };

/**
 * Returns the next charge of a subscription that has started and runs: the provider implies by it that everything due
 * so far was paid. Null where it implies no such thing. Limited to about a month ahead.
 */
function getNextBillingAt(remote: ProviderAnswer, now: number): number | null {
  const next = remote.isRunning && hasStarted(remote, now) ? remote.nextBillingAt : null;
  return next !== null && next > now ? Math.min(next, addMonth(now) + BILLING.maxDriftMs) : null;
}

/**
 * For a provider that reports no payments: that a subscription has started and runs covers its first month and no more,
 * however often the provider is asked. Returns null where it reports a payment or the next charge.
 */
const computeFirstMonthEnd = (
  known: StoredSubscription,
  remote: ProviderAnswer,
  now: number,
): number | null =>
  remote.isRunning && remote.nextBillingAt === null && remote.lastPayment === null && hasStarted(remote, now)
    ? addMonth(Math.min(remote.beganAt ?? known.createdAt, now))
    : null;

/** Returns the period end when no sufficient payment is known. */
function computeUnpaidEnd(
  known: StoredSubscription,
  remote: ProviderAnswer,
  { payments, isListed, now }: Evidence,
): number {
  const { status, isRunning, beganAt, lastPayment } = remote;
  // From its start the first payment is pending; a subscription with a postponed start gets no grace for it.
  const beginning =
    isRunning && hasStarted(remote, now)
      ? Math.max(known.createdAt, Math.min(beganAt ?? 0, now))
      : known.createdAt - BILLING.settlementGraceMs;
  const isUnpaid = isListed || lastPayment !== null || payments.length > 0;
  if (isUnpaid && (status === 'active' || status === 'suspended')) return beginning;
  // The list is empty, so the period that rested on the provider's status alone ends.
  if (isListed && lastPayment === null && payments.length === 0) return Math.min(known.periodEnd, beginning);
  // No payments are reported at all: rely on the provider's status, and keep the known period.
  const declaredEnd = getNextBillingAt(remote, now) ?? computeFirstMonthEnd(known, remote, now);
  return known.reconciledAt === 0
    ? Math.max(declaredEnd ?? 0, beginning)
    : Math.max(known.periodEnd, declaredEnd ?? 0);
}

/** Returns the period end that the charges pay for. */
function computePaidEnd(
  known: StoredSubscription,
  remote: ProviderAnswer,
  { taken, payments, isListed, now }: Evidence & { taken: readonly Charge[] },
): number {
  const isNew = known.reconciledAt === 0;
  const latest = taken.at(-1) as Charge;
  const covered = computeCoveredUntil(taken);
  // Everything was refunded, as if it had never been paid.
  if (covered === null) return taken[0]?.at ?? known.createdAt;
  if (!latest.isValid) return covered;
  const next = remote.isRunning ? remote.nextBillingAt : null;
  if (next !== null && next <= covered + BILLING.maxDriftMs) return next;
  // First settlement without listed payments: that the last known payment is old does not mean that none followed.
  if (isNew && !isListed && payments.length === 0) {
    // A running subscription gets at least the day of grace for a pending payment.
    const beginning = remote.isRunning && hasStarted(remote, now) ? known.createdAt : 0;
    return Math.max(covered, getNextBillingAt(remote, now) ?? beginning);
  }
  // The provider no longer reports the end but did so before: keep that end while the payment is valid.
  const restsOnLatest = !isNew && known.periodEnd > latest.at + BILLING.maxDriftMs;
  const isPaid = known.periodEnd <= covered + BILLING.maxDriftMs || taken.every(({ isValid }) => isValid);
  return restsOnLatest && isPaid ? known.periodEnd : covered;
}
