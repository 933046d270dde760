import type { PaymentClient, Plan, SubscriptionView } from './contract.ts';
import { isPaidFor, type SubscriptionWithPayments, getPaidUntil } from './paid-period.ts';
import { isFromOtherPayer, isBillable, isScheduled } from './subscription-rules.ts';

/** One of somebody's subscriptions as their page needs to know it. */
export interface MembershipSubscription extends SubscriptionWithPayments {
  payerHash: string | null;
  nextBillingAt: number | null;
  /** They have said that it is theirs, in a session of their own. */
  isClaimed: boolean;
}

/** The one that tells how somebody stands: what runs, before what is to run, before what may run again, before what is over. */
function findCurrentSubscription(
  mine: readonly MembershipSubscription[],
  now: number,
): MembershipSubscription | undefined {
  const active = mine.filter(({ status }) => status === 'active');
  return (
    active.find((one) => !isScheduled(one, now)) ??
    active[0] ??
    mine.find(isBillable) ??
    mine.toSorted((a, b) => b.periodEnd - a.periodEnd)[0]
  );
}

const toIsoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/**
 * Somebody's membership as they see it.
 * @param plan the one in force
 * @param subscriptions all that they ever had, newest first
 * @param isGiven whether the plan is the operator's gift
 * @param until the end of the plan, as it is kept
 * @param client null where they cannot pay for one
 */
export function buildSubscriptionView(
  plan: Plan['id'],
  subscriptions: readonly MembershipSubscription[],
  {
    isGiven,
    until,
    client,
    now,
  }: {
    isGiven: boolean;
    until: number | null;
    client: Omit<PaymentClient, 'starts_at'> | null;
    now: number;
  },
): SubscriptionView {
  const mine = subscriptions.filter((one) => !isFromOtherPayer(one, subscriptions, now));
  const shown = findCurrentSubscription(mine, now);
  const paidUntil = getPaidUntil(mine);
  const isAhead = paidUntil !== null && paidUntil > now;
  const isOver = shown !== undefined && !isBillable(shown);
  const isActive = shown?.status === 'active';
  const beginsAt = shown !== undefined && isActive && isScheduled(shown, now) ? shown.beginsAt : null;
  const hasProblem = shown !== undefined && (shown.isFailing || shown.wentBack);
  const isAwaited = isActive && beginsAt === null && !hasProblem && !isAhead;
  // Nothing of it is paid yet, and it is there all the same for the day in which that is awaited.
  const awaitedUntil = isAwaited && until !== null && until > now ? until : null;
  // Until when an earlier one was paid says nothing of when the first payment of this one is due.
  const wasPaidUntil = isAwaited && !isPaidFor(shown) ? null : paidUntil;
  const next = isActive ? shown.nextBillingAt : null;
  return {
    plan,
    status: shown?.status ?? 'none',
    current_period_end: toIsoOrNull(isAhead ? paidUntil : (awaitedUntil ?? wasPaidUntil)),
    price_cents: shown?.agreedCents ?? null,
    is_given: isGiven,
    auto_renew: isActive,
    pending_downgrade: isOver && isAhead,
    is_failing: shown?.isFailing ?? false,
    is_awaited: isAwaited,
    is_refunded: shown !== undefined && !isOver && shown.wentBack,
    next_payment_at: toIsoOrNull(beginsAt ?? (next !== null && next > now ? next : null)),
    begins_at: toIsoOrNull(beginsAt),
    client: client === null ? null : { ...client, starts_at: isAhead ? toIsoOrNull(paidUntil) : null },
  };
}
