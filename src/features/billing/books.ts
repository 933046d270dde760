import { BILLING } from '../../config.ts';
import { monthAfter } from './months.ts';
import type { CompanyPayment, CompanySubscription } from './payment-company.ts';
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
export interface WentBack {
  paymentId: string;
  amountCents: number;
  isReversal: boolean;
}

/** A subscription as the books had it. */
export interface Known {
  status: SubscriptionStatus;
  periodEnd: number;
  isFailing: boolean;
  /** When it was seen here first. */
  createdAt: number;
  /** When the company was asked last; 0 for one of which nothing is written down yet. */
  checkedAt: number;
}

export interface Books {
  status: SubscriptionStatus;
  /** Until when it is paid for. */
  periodEnd: number;
  /** What was due did not come, or went back. */
  isFailing: boolean;
}

/** Payments with what was told of them since. What went back never comes again, so order and repetition are nothing. */
export function mergedPayments(
  known: readonly Payment[],
  told: readonly CompanyPayment[],
  back: readonly WentBack[],
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
    const sum = own.reduce((cents, { amountCents }) => cents + amountCents, 0);
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
interface Taken {
  at: number;
  stands: boolean;
}

/** All that was taken, the oldest first: payments by their names, and the last one that the company tells of without. */
function takenOf(payments: readonly Payment[], told: CompanySubscription, priceCents: number): Taken[] {
  // Prices change for whoever begins; of one who began, what was paid first is enough for ever.
  const enough = Math.min(priceCents, payments[0]?.amountCents ?? priceCents);
  const counts = ({ amountCents, currency }: { amountCents: number; currency: string }): boolean =>
    currency === BILLING.currency && amountCents >= enough;
  const taken = payments
    .filter(counts)
    .map(({ paidAt, status }) => ({ at: paidAt, stands: status === 'completed' }));
  const last = told.lastPayment;
  const isNamed = payments.some(({ paidAt }) => last !== null && paidAt >= last.at - BILLING.samePaymentMs);
  if (last !== null && !isNamed && counts(last)) taken.push({ at: last.at, stands: true });
  return taken;
}

/** Until when what stands is enough, a month each, one after the other; null when nothing stands. */
function coveredBy(taken: readonly Taken[]): number | null {
  let end: number | null = null;
  for (const { at, stands } of taken) if (stands) end = monthAfter(Math.max(end ?? at, at));
  return end;
}

/**
 * What the books are to say.
 * @param payments as merged, the oldest first
 * @param told what the company answered, which has begun
 */
export function booksOf(
  known: Known,
  { status, ...told }: CompanySubscription & { status: SubscriptionStatus },
  { payments, priceCents, now }: { payments: readonly Payment[]; priceCents: number; now: number },
): Books {
  const taken = takenOf(payments, { status, ...told }, priceCents);
  const latest = taken.at(-1);
  const wentBack = latest !== undefined && !latest.stands;
  const isFailing = (status === 'active' || status === 'suspended') && (told.failedPayments > 0 || wentBack);
  const isRunning = status === 'active' && !isFailing;
  return { status, isFailing, periodEnd: periodEnd(known, { ...told, isRunning }, { taken, now }) };
}

function periodEnd(
  known: Known,
  { isRunning, nextBillingAt, beganAt }: Omit<CompanySubscription, 'status'> & { isRunning: boolean },
  { taken, now }: { taken: readonly Taken[]; now: number },
): number {
  const isNew = known.checkedAt === 0;
  const hasBegun = beganAt === null || beganAt <= now;
  const latest = taken.at(-1);
  // Seen first when it runs and the next money is due later: the company has what was due until now.
  const next = isRunning ? nextBillingAt : null;
  if (isNew && next !== null && hasBegun && next > now) return next;
  if (latest === undefined) {
    // Nothing was told of a payment since: what was known stays. Of a new one nothing is paid, and whoever puts its
    // beginning off begins with nothing.
    if (!isNew) return known.periodEnd;
    return isRunning && hasBegun ? known.createdAt : known.createdAt - BILLING.settlesMs;
  }
  const covered = coveredBy(taken);
  // All of it went back: it is as if it had never been paid for.
  if (covered === null) return taken[0]?.at ?? known.createdAt;
  if (!latest.stands) return covered;
  if (next !== null && next <= covered + BILLING.driftMs) return next;
  // The company says no more when it ends, but it did: that is never taken back while the payment stands.
  const restsOnLatest = !isNew && known.periodEnd > latest.at + BILLING.driftMs;
  const isPaid = known.periodEnd <= covered + BILLING.driftMs || taken.every(({ stands }) => stands);
  return restsOnLatest && isPaid ? known.periodEnd : covered;
}

/** Until when somebody has which plan by what they subscribed to; null for whoever never did. */
export function planOf<Plan extends string>(
  subscriptions: readonly (Books & { plan: Plan })[],
): { plan: Plan; until: number } | null {
  const [furthest] = subscriptions.toSorted((a, b) => b.periodEnd - a.periodEnd);
  if (furthest === undefined) return null;
  // The next payment is on its way, of whichever of them.
  const isAwaited = subscriptions.some(({ status, isFailing }) => status === 'active' && !isFailing);
  return { plan: furthest.plan, until: furthest.periodEnd + (isAwaited ? BILLING.settlesMs : 0) };
}
