import type { PaymentClient, Plan, SubscriptionView } from './contract.ts';
import { isToBeBilled, type SubscriptionStatus } from './subscription-rules.ts';

interface Shown {
  status: SubscriptionStatus;
  periodEnd: number;
  isFailing: boolean;
}

/**
 * Somebody's membership as they see it.
 * @param plan the one in force
 * @param subscriptions all that they ever had, newest first
 * @param client null where they cannot pay for one
 */
export function viewOf(
  plan: Plan['id'],
  subscriptions: readonly Shown[],
  { client, now }: { client: Omit<PaymentClient, 'starts_at'> | null; now: number },
): SubscriptionView {
  const shown =
    subscriptions.find(({ status }) => status === 'active') ??
    subscriptions.find(isToBeBilled) ??
    subscriptions.toSorted((a, b) => b.periodEnd - a.periodEnd)[0];
  const paidUntil = Math.max(0, ...subscriptions.map(({ periodEnd }) => periodEnd));
  const end = paidUntil > now ? new Date(paidUntil).toISOString() : null;
  return {
    plan,
    status: shown?.status ?? 'none',
    current_period_end: end,
    auto_renew: shown?.status === 'active',
    pending_downgrade: shown !== undefined && !isToBeBilled(shown) && end !== null,
    is_failing: shown?.isFailing ?? false,
    client: client === null ? null : { ...client, starts_at: end },
  };
}
