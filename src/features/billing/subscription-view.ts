import type { PaymentClient, Plan, SubscriptionView } from './contract.ts';
import { isToBeBilled, type SubscriptionStatus } from './subscription-rules.ts';

interface Shown {
  status: SubscriptionStatus;
  periodEnd: number;
  isFailing: boolean;
  agreedCents: number | null;
  /** When it was seen here first. */
  createdAt: number;
}

/**
 * Somebody's membership as they see it.
 * @param plan the one in force
 * @param subscriptions all that they ever had, newest first
 * @param isGiven whether the plan is the operator's gift
 * @param client null where they cannot pay for one
 */
export function viewOf(
  plan: Plan['id'],
  subscriptions: readonly Shown[],
  {
    isGiven,
    client,
    now,
  }: { isGiven: boolean; client: Omit<PaymentClient, 'starts_at'> | null; now: number },
): SubscriptionView {
  const shown =
    subscriptions.find(({ status }) => status === 'active') ??
    subscriptions.find(isToBeBilled) ??
    subscriptions.toSorted((a, b) => b.periodEnd - a.periodEnd)[0];
  // One that was never paid for ends no later than it began.
  const paid = subscriptions.filter(({ periodEnd, createdAt }) => periodEnd > createdAt);
  const paidUntil = Math.max(0, ...paid.map(({ periodEnd }) => periodEnd));
  const isAhead = paidUntil > now;
  const isOver = shown !== undefined && !isToBeBilled(shown);
  const end = isAhead || (isOver && paidUntil > 0) ? new Date(paidUntil).toISOString() : null;
  return {
    plan,
    status: shown?.status ?? 'none',
    current_period_end: end,
    price_cents: shown?.agreedCents ?? null,
    is_given: isGiven,
    auto_renew: shown?.status === 'active',
    pending_downgrade: isOver && isAhead,
    is_failing: shown?.isFailing ?? false,
    client: client === null ? null : { ...client, starts_at: isAhead ? end : null },
  };
}
