import type { PaymentClient, Plan, SubscriptionView } from './contract.ts';
import { isPaidFor, type SubscriptionWithPayments, getPaidUntil } from './paid-period.ts';
import { isFromOtherPayer, isBillable, isScheduled } from './subscription-rules.ts';

/** A subscription with the data for the user's membership page. */
export interface MembershipSubscription extends SubscriptionWithPayments {
  payerHash: string | null;
  nextBillingAt: number | null;
  /** The user has claimed it in their own session. */
  isClaimed: boolean;
}

/**
 * Returns the subscription that represents the user's membership: one that runs, else a scheduled one, else one that
 * may be resumed, else the ended one that was paid the longest.
 */
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
 * Builds the user's view of their membership.
 * @param plan the current one
 * @param subscriptions all that the user ever had, newest first
 * @param isGiven whether the operator granted the plan
 * @param until the stored end of the plan
 * @param client null where the user cannot buy a membership
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
  const startsAt = shown !== undefined && isActive && isScheduled(shown, now) ? shown.startsAt : null;
  const hasProblem = shown !== undefined && (shown.paymentFailed || shown.isRefunded);
  const isAwaited = isActive && startsAt === null && !hasProblem && !isAhead;
  // Nothing is paid yet, but the plan lasts for the day of grace of the pending payment.
  const awaitedUntil = isAwaited && until !== null && until > now ? until : null;
  // The end of an earlier subscription says nothing about when the first payment of this one is due.
  const wasPaidUntil = isAwaited && !isPaidFor(shown) ? null : paidUntil;
  const next = isActive ? shown.nextBillingAt : null;
  return {
    plan,
    status: shown?.status ?? 'none',
    current_period_end: toIsoOrNull(isAhead ? paidUntil : (awaitedUntil ?? wasPaidUntil)),
    price_cents: shown?.priceCents ?? null,
    is_given: isGiven,
    auto_renew: isActive,
    pending_downgrade: isOver && isAhead,
    is_failing: shown?.paymentFailed ?? false,
    is_awaited: isAwaited,
    is_refunded: shown !== undefined && !isOver && shown.isRefunded,
    next_payment_at: toIsoOrNull(startsAt ?? (next !== null && next > now ? next : null)),
    begins_at: toIsoOrNull(startsAt),
    client: client === null ? null : { ...client, starts_at: isAhead ? toIsoOrNull(paidUntil) : null },
  };
}
