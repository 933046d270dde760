import { BILLING } from './limits.ts';
import { type SubscriptionState, isSufficient, type Payment } from './subscription-state.ts';
import { addMonth } from './months.ts';
import { isBillable } from './subscription-rules.ts';

/*
 * Combines all subscriptions of one user. The state of each says until when it is paid; a user who pays for two at the
 * same time gets both periods, one after the other.
 */

/** A subscription of the user with its payments. */
export interface SubscriptionWithPayments extends SubscriptionState {
  id: string;
  priceCents: number | null;
  startsAt: number | null;
  /** When we first saw it. */
  createdAt: number;
  /** When its state last changed. */
  updatedAt: number;
  payments: readonly Pick<Payment, 'amountCents' | 'currency' | 'status' | 'paidAt'>[];
}

const getStart = ({
  createdAt,
  startsAt,
}: Pick<SubscriptionWithPayments, 'createdAt' | 'startsAt'>): number => Math.max(createdAt, startsAt ?? 0);

/** Returns the times of the sufficient payments that were not refunded, oldest first. */
const listValidPaymentTimes = ({ payments, priceCents }: SubscriptionWithPayments): number[] =>
  payments
    .filter((payment) => payment.status === 'completed' && isSufficient(payment, priceCents ?? 0))
    .map(({ paidAt }) => paidAt)
    .toSorted((a, b) => a - b);

/** Without listed payments the stored state decides: an unpaid subscription ends when it starts. */
const isPaidByState = (one: SubscriptionWithPayments): boolean =>
  !one.isRefunded && one.periodEnd > getStart(one);

/** Whether any payment for it is still valid. */
export const isPaidFor = (one: SubscriptionWithPayments): boolean =>
  listValidPaymentTimes(one).length > 0 || isPaidByState(one);

interface Period {
  from: number;
  to: number;
}

/** Returns the paid months of a subscription. They end with its stored period. */
function getPaidPeriods(one: SubscriptionWithPayments): Period[] {
  const spans: Period[] = [];
  for (const at of listValidPaymentTimes(one)) {
    const from = Math.max(spans.at(-1)?.to ?? at, at);
    spans.push({ from, to: Math.max(from, Math.min(addMonth(from), one.periodEnd)) });
  }
  const last = spans.at(-1);
  if (last !== undefined) last.to = Math.max(last.to, one.periodEnd);
  else if (isPaidByState(one)) spans.push({ from: getStart(one), to: one.periodEnd });
  return spans;
}

/** A month that overlaps another paid month starts when that one ends. */
function appendPeriod(end: number, { from, to }: Period): number {
  if (from >= end) return to;
  const month = addMonth(from);
  return to >= month ? addMonth(end) + to - month : Math.min(addMonth(end), end + to - from);
}

/** Returns until when a user has paid across all subscriptions; null without a valid payment. */
export function getPaidUntil(own: readonly SubscriptionWithPayments[]): number | null {
  const paid = own.filter(isPaidFor);
  if (paid.length === 0) return null;
  const furthest = Math.max(...paid.map(({ periodEnd }) => periodEnd));
  const spans = paid.flatMap(getPaidPeriods).toSorted((a, b) => a.from - b.from || a.to - b.to);
  const added = spans.reduce((end, span) => appendPeriod(end, span), -Infinity);
  return paid.length > 1 ? Math.max(furthest, added) : furthest;
}

/** Whether it had started, and so might have been paid for. One that was cancelled before that has granted nothing. */
const hasBeenDue = (one: SubscriptionWithPayments, now: number): boolean =>
  getStart(one) <= (isBillable(one) ? now : one.updatedAt) + BILLING.clockToleranceMs;

/**
 * Whether the user gets the day of grace for a pending payment. Of subscriptions that were never paid for, only the
 * first gets it; otherwise each new unpaid one would grant another day.
 */
function isPaymentPending(
  one: SubscriptionWithPayments,
  own: readonly SubscriptionWithPayments[],
  { hasUnpaid, now }: PlanContext,
): boolean {
  if (one.status !== 'active' || one.paymentFailed || one.isRefunded) return false;
  if (isPaidFor(one)) return true;
  const isEarlier = (other: SubscriptionWithPayments) =>
    other.createdAt < one.createdAt || (other.createdAt === one.createdAt && other.id < one.id);
  return (
    !hasUnpaid.has(one.id) &&
    !own.some((other) => isEarlier(other) && !isPaidFor(other) && hasBeenDue(other, now))
  );
}

interface PlanContext {
  /** Ids of subscriptions whose payer has an earlier one with another account that was never paid for. */
  hasUnpaid: ReadonlySet<string>;
  now: number;
}

/** Returns the plan that a user's subscriptions grant, and its end; null for a user without subscriptions. */
export function resolvePaidPlan<Plan extends string>(
  own: readonly (SubscriptionWithPayments & { plan: Plan })[],
  circumstances: PlanContext,
): { plan: Plan; until: number } | null {
  const [furthest] = own.toSorted((a, b) => b.periodEnd - a.periodEnd);
  if (furthest === undefined) return null;
  const awaited = own.filter((one) => isPaymentPending(one, own, circumstances));
  const getGraceMs = (some: readonly SubscriptionWithPayments[]) =>
    some.length > 0 ? BILLING.settlementGraceMs : 0;
  const ends = own
    .filter((one) => !isPaidFor(one))
    .map((one) => one.periodEnd + getGraceMs(awaited.filter(({ id }) => id === one.id)));
  const paid = getPaidUntil(own);
  // The next payment of any of them is pending, unless it is due much later.
  if (paid !== null)
    ends.push(
      paid +
        getGraceMs(awaited.filter(({ startsAt }) => (startsAt ?? 0) <= paid + BILLING.settlementGraceMs)),
    );
  return { plan: furthest.plan, until: Math.max(...ends) };
}
