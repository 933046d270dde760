import { BILLING } from './limits.ts';
import { type SubscriptionState, isSufficient, type Payment } from './subscription-state.ts';
import { addMonth } from './months.ts';
import { isBillable } from './subscription-rules.ts';

/*
 * What all subscriptions of one person bring together. What each of them is paid for until is in its books; whoever pays
 * for two of them at once has both times, one after the other.
 */

/** One of somebody's subscriptions, with what was paid for it. */
export interface SubscriptionWithPayments extends SubscriptionState {
  id: string;
  agreedCents: number | null;
  beginsAt: number | null;
  /** When it was seen here first. */
  createdAt: number;
  /** When its state last became another. */
  updatedAt: number;
  payments: readonly Pick<Payment, 'amountCents' | 'currency' | 'status' | 'paidAt'>[];
}

const getStart = ({
  createdAt,
  beginsAt,
}: Pick<SubscriptionWithPayments, 'createdAt' | 'beginsAt'>): number => Math.max(createdAt, beginsAt ?? 0);

/** When each of the payments that stand and are enough was made, the oldest first. */
const listValidPaymentTimes = ({ payments, agreedCents }: SubscriptionWithPayments): number[] =>
  payments
    .filter((payment) => payment.status === 'completed' && isSufficient(payment, agreedCents ?? 0))
    .map(({ paidAt }) => paidAt)
    .toSorted((a, b) => a - b);

/** Where nobody names payments, the books say whether one is paid for: unpaid it ends as it begins. */
const isPaidByState = (one: SubscriptionWithPayments): boolean =>
  !one.wentBack && one.periodEnd > getStart(one);

/** Whether any of what was paid for one stands. */
export const isPaidFor = (one: SubscriptionWithPayments): boolean =>
  listValidPaymentTimes(one).length > 0 || isPaidByState(one);

interface Period {
  from: number;
  to: number;
}

/** The months that are paid for of one. They end with what its books say. */
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

/** A month that is paid for beside another begins when that one ends. */
function appendPeriod(end: number, { from, to }: Period): number {
  if (from >= end) return to;
  const month = addMonth(from);
  return to >= month ? addMonth(end) + to - month : Math.min(addMonth(end), end + to - from);
}

/** Until when somebody has paid, by all that they have; null where nothing of it stands. */
export function getPaidUntil(own: readonly SubscriptionWithPayments[]): number | null {
  const paid = own.filter(isPaidFor);
  if (paid.length === 0) return null;
  const furthest = Math.max(...paid.map(({ periodEnd }) => periodEnd));
  const spans = paid.flatMap(getPaidPeriods).toSorted((a, b) => a.from - b.from || a.to - b.to);
  const added = spans.reduce((end, span) => appendPeriod(end, span), -Infinity);
  return paid.length > 1 ? Math.max(furthest, added) : furthest;
}

/** Whether one had begun, and might have been paid for. What was given up before that has brought nothing. */
const hasBeenDue = (one: SubscriptionWithPayments, now: number): boolean =>
  getStart(one) <= (isBillable(one) ? now : one.updatedAt) + BILLING.clockToleranceMs;

/**
 * Whether somebody has the day in which a payment is awaited. Of those that were never paid for the first has it, and no
 * other: else each new one that nobody pays for would bring a day.
 */
function isPaymentPending(
  one: SubscriptionWithPayments,
  own: readonly SubscriptionWithPayments[],
  { hasUnpaid, now }: PlanContext,
): boolean {
  if (one.status !== 'active' || one.isFailing || one.wentBack) return false;
  if (isPaidFor(one)) return true;
  const isEarlier = (other: SubscriptionWithPayments) =>
    other.createdAt < one.createdAt || (other.createdAt === one.createdAt && other.id < one.id);
  return (
    !hasUnpaid.has(one.id) &&
    !own.some((other) => isEarlier(other) && !isPaidFor(other) && hasBeenDue(other, now))
  );
}

interface PlanContext {
  /** Of which whoever pays has an earlier one elsewhere that was never paid for. */
  hasUnpaid: ReadonlySet<string>;
  now: number;
}

/** Until when somebody has which plan by what they subscribed to; null for whoever never did. */
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
  // The next payment is on its way, of whichever of them, unless it is due much later.
  if (paid !== null)
    ends.push(
      paid +
        getGraceMs(awaited.filter(({ beginsAt }) => (beginsAt ?? 0) <= paid + BILLING.settlementGraceMs)),
    );
  return { plan: furthest.plan, until: Math.max(...ends) };
}
