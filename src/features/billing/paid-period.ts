import { BILLING } from './limits.ts';
import { type Books, isEnough, type Payment } from './subscription-state.ts';
import { monthAfter } from './months.ts';
import { isToBeBilled } from './subscription-rules.ts';

/*
 * What all subscriptions of one person bring together. What each of them is paid for until is in its books; whoever pays
 * for two of them at once has both times, one after the other.
 */

/** One of somebody's subscriptions, with what was paid for it. */
export interface Owned extends Books {
  id: string;
  agreedCents: number | null;
  beginsAt: number | null;
  /** When it was seen here first. */
  createdAt: number;
  /** When its state last became another. */
  updatedAt: number;
  payments: readonly Pick<Payment, 'amountCents' | 'currency' | 'status' | 'paidAt'>[];
}

const beginningOf = ({ createdAt, beginsAt }: Pick<Owned, 'createdAt' | 'beginsAt'>): number =>
  Math.max(createdAt, beginsAt ?? 0);

/** When each of the payments that stand and are enough was made, the oldest first. */
const standingOf = ({ payments, agreedCents }: Owned): number[] =>
  payments
    .filter((payment) => payment.status === 'completed' && isEnough(payment, agreedCents ?? 0))
    .map(({ paidAt }) => paidAt)
    .toSorted((a, b) => a - b);

/** Where nobody names payments, the books say whether one is paid for: unpaid it ends as it begins. */
const isPaidByBooks = (one: Owned): boolean => !one.wentBack && one.periodEnd > beginningOf(one);

/** Whether any of what was paid for one stands. */
export const isPaidFor = (one: Owned): boolean => standingOf(one).length > 0 || isPaidByBooks(one);

interface Span {
  from: number;
  to: number;
}

/** The months that are paid for of one. They end with what its books say. */
function spansOf(one: Owned): Span[] {
  const spans: Span[] = [];
  for (const at of standingOf(one)) {
    const from = Math.max(spans.at(-1)?.to ?? at, at);
    spans.push({ from, to: Math.max(from, Math.min(monthAfter(from), one.periodEnd)) });
  }
  const last = spans.at(-1);
  if (last !== undefined) last.to = Math.max(last.to, one.periodEnd);
  else if (isPaidByBooks(one)) spans.push({ from: beginningOf(one), to: one.periodEnd });
  return spans;
}

/** A month that is paid for beside another begins when that one ends. */
function addedTo(end: number, { from, to }: Span): number {
  if (from >= end) return to;
  const month = monthAfter(from);
  return to >= month ? monthAfter(end) + to - month : Math.min(monthAfter(end), end + to - from);
}

/** Until when somebody has paid, by all that they have; null where nothing of it stands. */
export function paidUntilOf(own: readonly Owned[]): number | null {
  const paid = own.filter(isPaidFor);
  if (paid.length === 0) return null;
  const furthest = Math.max(...paid.map(({ periodEnd }) => periodEnd));
  const spans = paid.flatMap(spansOf).toSorted((a, b) => a.from - b.from || a.to - b.to);
  const added = spans.reduce((end, span) => addedTo(end, span), -Infinity);
  return paid.length > 1 ? Math.max(furthest, added) : furthest;
}

/** Whether one had begun, and might have been paid for. What was given up before that has brought nothing. */
const hasBeenDue = (one: Owned, now: number): boolean =>
  beginningOf(one) <= (isToBeBilled(one) ? now : one.updatedAt) + BILLING.clockMs;

/**
 * Whether somebody has the day in which a payment is awaited. Of those that were never paid for the first has it, and no
 * other: else each new one that nobody pays for would bring a day.
 */
function isAwaited(one: Owned, own: readonly Owned[], { hasUnpaid, now }: Circumstances): boolean {
  if (one.status !== 'active' || one.isFailing || one.wentBack) return false;
  if (isPaidFor(one)) return true;
  const isEarlier = (other: Owned) =>
    other.createdAt < one.createdAt || (other.createdAt === one.createdAt && other.id < one.id);
  return (
    !hasUnpaid.has(one.id) &&
    !own.some((other) => isEarlier(other) && !isPaidFor(other) && hasBeenDue(other, now))
  );
}

interface Circumstances {
  /** Of which whoever pays has an earlier one elsewhere that was never paid for. */
  hasUnpaid: ReadonlySet<string>;
  now: number;
}

/** Until when somebody has which plan by what they subscribed to; null for whoever never did. */
export function planOf<Plan extends string>(
  own: readonly (Owned & { plan: Plan })[],
  circumstances: Circumstances,
): { plan: Plan; until: number } | null {
  const [furthest] = own.toSorted((a, b) => b.periodEnd - a.periodEnd);
  if (furthest === undefined) return null;
  const awaited = own.filter((one) => isAwaited(one, own, circumstances));
  const dayOf = (some: readonly Owned[]) => (some.length > 0 ? BILLING.settlesMs : 0);
  const ends = own
    .filter((one) => !isPaidFor(one))
    .map((one) => one.periodEnd + dayOf(awaited.filter(({ id }) => id === one.id)));
  const paid = paidUntilOf(own);
  // The next payment is on its way, of whichever of them, unless it is due much later.
  if (paid !== null)
    ends.push(paid + dayOf(awaited.filter(({ beginsAt }) => (beginsAt ?? 0) <= paid + BILLING.settlesMs)));
  return { plan: furthest.plan, until: Math.max(...ends) };
}
