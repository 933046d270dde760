import type { PaymentClient, Plan, SubscriptionView } from './contract.ts';
import { isPaidFor, type Owned, paidUntilOf } from './paid-period.ts';
import { isStrangers, isToBeBilled, isToCome } from './subscription-rules.ts';

/** One of somebody's subscriptions as their page needs to know it. */
export interface Shown extends Owned {
  payerHash: string | null;
  nextBillingAt: number | null;
  /** They have said that it is theirs, in a session of their own. */
  isClaimed: boolean;
}

/** The one that tells how somebody stands: what runs, before what is to run, before what may run again, before what is over. */
function shownOf(mine: readonly Shown[], now: number): Shown | undefined {
  const active = mine.filter(({ status }) => status === 'active');
  return (
    active.find((one) => !isToCome(one, now)) ??
    active[0] ??
    mine.find(isToBeBilled) ??
    mine.toSorted((a, b) => b.periodEnd - a.periodEnd)[0]
  );
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/**
 * Somebody's membership as they see it.
 * @param plan the one in force
 * @param subscriptions all that they ever had, newest first
 * @param isGiven whether the plan is the operator's gift
 * @param until the end of the plan, as it is kept
 * @param client null where they cannot pay for one
 */
export function viewOf(
  plan: Plan['id'],
  subscriptions: readonly Shown[],
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
  const mine = subscriptions.filter((one) => !isStrangers(one, subscriptions, now));
  const shown = shownOf(mine, now);
  const paidUntil = paidUntilOf(mine);
  const isAhead = paidUntil !== null && paidUntil > now;
  const isOver = shown !== undefined && !isToBeBilled(shown);
  const isActive = shown?.status === 'active';
  const beginsAt = shown !== undefined && isActive && isToCome(shown, now) ? shown.beginsAt : null;
  const isAmiss = shown !== undefined && (shown.isFailing || shown.wentBack);
  const isAwaited = isActive && beginsAt === null && !isAmiss && !isAhead;
  // Nothing of it is paid yet, and it is there all the same for the day in which that is awaited.
  const awaitedUntil = isAwaited && until !== null && until > now ? until : null;
  // Until when an earlier one was paid says nothing of when the first payment of this one is due.
  const wasPaidUntil = isAwaited && !isPaidFor(shown) ? null : paidUntil;
  const next = isActive ? shown.nextBillingAt : null;
  return {
    plan,
    status: shown?.status ?? 'none',
    current_period_end: iso(isAhead ? paidUntil : (awaitedUntil ?? wasPaidUntil)),
    price_cents: shown?.agreedCents ?? null,
    is_given: isGiven,
    auto_renew: isActive,
    pending_downgrade: isOver && isAhead,
    is_failing: shown?.isFailing ?? false,
    is_awaited: isAwaited,
    is_refunded: shown !== undefined && !isOver && shown.wentBack,
    next_payment_at: iso(beginsAt ?? (next !== null && next > now ? next : null)),
    begins_at: iso(beginsAt),
    client: client === null ? null : { ...client, starts_at: isAhead ? iso(paidUntil) : null },
  };
}
