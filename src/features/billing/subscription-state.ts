import { BILLING } from './limits.ts';
import { hasStarted } from './activation.ts';
import { addMonth } from './months.ts';
import type { ProviderPayment, ProviderSubscription } from './payment-provider.ts';
import type { SubscriptionStatus } from './subscription-rules.ts';

/*
 * What our books say of a subscription, made from what is known of its payments and from what the company answers to a
 * fresh question. Events are not in it: they only say that it is time to ask. So it is the same in whatever order they
 * came, how often, and whether they came at all.
 */

/** A payment as the books have it. What went back in part is in `refundedCents` alone. */
export interface Payment {
  id: string;
  amountCents: number;
  currency: string;
  status: 'completed' | 'refunded' | 'reversed';
  refundedCents: number;
  paidAt: number;
}

/** What went back of a payment: a sum, or all of it, whatever it was. */
export interface Refund {
  paymentId: string;
  /** Null: all of it. */
  amountCents: number | null;
  isReversal: boolean;
}

/** A subscription as the books had it. */
export interface StoredSubscription {
  status: SubscriptionStatus;
  periodEnd: number;
  isFailing: boolean;
  /** When it was seen here first. */
  createdAt: number;
  /** When the company was asked last; 0 for one of which nothing is written down yet. */
  checkedAt: number;
}

export interface SubscriptionState {
  status: SubscriptionStatus;
  /** Until when it is paid for. */
  periodEnd: number;
  /** What was due did not come. */
  isFailing: boolean;
  /** What came last went back. */
  wentBack: boolean;
}

/** Payments with what was told of them since. What went back never comes again, so order and repetition are nothing. */
export function mergePayments(
  known: readonly Payment[],
  told: readonly ProviderPayment[],
  back: readonly Refund[],
): Payment[] {
  const merged = new Map<string, Payment>(known.map((payment) => [payment.id, { ...payment }]));
  for (const { id, amountCents, currency, at, isRefunded } of told) {
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

/** That money was taken, and whether it is still here. */
interface Charge {
  at: number;
  isValid: boolean;
}

/** Whether a payment is what was agreed to, or more. */
export const isSufficient = (
  { amountCents, currency }: { amountCents: number; currency: string },
  agreedCents: number,
): boolean => currency === BILLING.currency && amountCents >= agreedCents;

/** All that was taken, the oldest first: payments by their names, and the last one that the company tells of without. */
function listCharges(
  payments: readonly Payment[],
  told: ProviderSubscription,
  agreedCents: number,
): Charge[] {
  const charges = payments
    .filter((payment) => isSufficient(payment, agreedCents))
    .map(({ paidAt, status }) => ({ at: paidAt, isValid: status === 'completed' }));
  const last = told.lastPayment;
  const isNamed = payments.some(
    ({ paidAt }) => last !== null && paidAt >= last.at - BILLING.samePaymentWindowMs,
  );
  if (last !== null && !isNamed && isSufficient(last, agreedCents))
    charges.push({ at: last.at, isValid: true });
  return charges;
}

/** Until when what stands is enough, a month each, one after the other; null when nothing stands. */
function computeCoveredUntil(taken: readonly Charge[]): number | null {
  let end: number | null = null;
  for (const { at, isValid: stands } of taken) if (stands) end = addMonth(Math.max(end ?? at, at));
  return end;
}

/** What is known of the money beside what the company answers of the subscription itself. */
interface Evidence {
  /** As merged, the oldest first. */
  payments: readonly Payment[];
  /** What each month costs by what was agreed to. */
  agreedCents: number;
  /** The company has listed what was paid: what is not there was not paid. */
  isListed: boolean;
  now: number;
}

/**
 * What the books are to say.
 * @param told what the company answered, which has begun
 */
export function computeSubscriptionState(
  known: StoredSubscription,
  { status, ...told }: ProviderSubscription & { status: SubscriptionStatus },
  evidence: Evidence,
): SubscriptionState {
  const taken = listCharges(evidence.payments, { status, ...told }, evidence.agreedCents);
  const latest = taken.at(-1);
  const wentBack = latest !== undefined && !latest.isValid;
  const isFailing = (status === 'active' || status === 'suspended') && told.failedPayments > 0;
  const isRunning = status === 'active' && !isFailing && !wentBack;
  const answer = { ...told, status, isRunning };
  return {
    status,
    isFailing,
    wentBack,
    periodEnd:
      latest === undefined
        ? computeUnpaidEnd(known, answer, evidence)
        : computePaidEnd(known, answer, { ...evidence, taken }),
  };
}

type ProviderAnswer = ProviderSubscription & { status: SubscriptionStatus; isRunning: boolean };

/**
 * The next payment of one that has begun and runs: the company says by it that it has what was due until now. Null where
 * it says no such thing. Nothing is paid for further than a month ahead.
 */
function getNextBillingAt(told: ProviderAnswer, now: number): number | null {
  const next = told.isRunning && hasStarted(told, now) ? told.nextBillingAt : null;
  return next !== null && next > now ? Math.min(next, addMonth(now) + BILLING.maxDriftMs) : null;
}

/**
 * That one has begun and runs, from a company that tells of no money at all: its word is for the first month, and no
 * further, however often it is asked. Null where it tells of any, or of when the next is due.
 */
const computeFirstMonthEnd = (known: StoredSubscription, told: ProviderAnswer, now: number): number | null =>
  told.isRunning && told.nextBillingAt === null && told.lastPayment === null && hasStarted(told, now)
    ? addMonth(Math.min(told.beganAt ?? known.createdAt, now))
    : null;

/** The end of the period where no payment is known that is enough. */
function computeUnpaidEnd(
  known: StoredSubscription,
  told: ProviderAnswer,
  { payments, isListed, now }: Evidence,
): number {
  const { status, isRunning, beganAt, lastPayment } = told;
  // From its beginning on the first payment is awaited; whoever puts that off begins with nothing.
  const beginning =
    isRunning && hasStarted(told, now)
      ? Math.max(known.createdAt, Math.min(beganAt ?? 0, now))
      : known.createdAt - BILLING.settlementGraceMs;
  const isUnpaid = isListed || lastPayment !== null || payments.length > 0;
  if (isUnpaid && (status === 'active' || status === 'suspended')) return beginning;
  // The list names nothing at all: what its word alone had brought ends with it.
  if (isListed && lastPayment === null && payments.length === 0) return Math.min(known.periodEnd, beginning);
  // Nobody tells of payments at all: its word is what there is, and what was known stays.
  const declaredEnd = getNextBillingAt(told, now) ?? computeFirstMonthEnd(known, told, now);
  return known.checkedAt === 0
    ? Math.max(declaredEnd ?? 0, beginning)
    : Math.max(known.periodEnd, declaredEnd ?? 0);
}

/** The end of what was paid. */
function computePaidEnd(
  known: StoredSubscription,
  told: ProviderAnswer,
  { taken, payments, isListed, now }: Evidence & { taken: readonly Charge[] },
): number {
  const isNew = known.checkedAt === 0;
  const latest = taken.at(-1) as Charge;
  const covered = computeCoveredUntil(taken);
  // All of it went back: it is as if it had never been paid for.
  if (covered === null) return taken[0]?.at ?? known.createdAt;
  if (!latest.isValid) return covered;
  const next = told.isRunning ? told.nextBillingAt : null;
  if (next !== null && next <= covered + BILLING.maxDriftMs) return next;
  // Seen first, and nobody names payments: that the last is some time ago does not say that there was none since.
  if (isNew && !isListed && payments.length === 0) {
    // One that runs has the day in which a payment is awaited, at the least.
    const beginning = told.isRunning && hasStarted(told, now) ? known.createdAt : 0;
    return Math.max(covered, getNextBillingAt(told, now) ?? beginning);
  }
  // The company says no more when it ends, but it did: that is never taken back while the payment stands.
  const restsOnLatest = !isNew && known.periodEnd > latest.at + BILLING.maxDriftMs;
  const isPaid =
    known.periodEnd <= covered + BILLING.maxDriftMs || taken.every(({ isValid: stands }) => stands);
  return restsOnLatest && isPaid ? known.periodEnd : covered;
}
