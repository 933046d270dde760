import type { EndedSubscription } from './contract.ts';

export type SubscriptionStatus = 'active' | 'suspended' | 'cancelled' | 'expired';

/** Somebody's subscription as our books have it; moments in ms. */
export interface Subscription {
  id: string;
  status: SubscriptionStatus;
  /** Until when it is paid for. */
  periodEnd: number;
  /** When its state last became another. */
  updatedAt: number;
}

/** The states in which money may still be taken: what is suspended can be taken up again. */
export const TO_BE_BILLED = ['active', 'suspended'] as const satisfies SubscriptionStatus[];

export const isToBeBilled = ({ status }: Pick<Subscription, 'status'>): boolean =>
  TO_BE_BILLED.some((one) => one === status);

/** PayPal's word for a state as our books write it; null for one before a subscription has begun. */
export function statusOf(told: string): SubscriptionStatus | null {
  switch (told) {
    case 'ACTIVE':
      return 'active';
    case 'SUSPENDED':
      return 'suspended';
    case 'CANCELLED':
      return 'cancelled';
    case 'EXPIRED':
      return 'expired';
    default:
      return null;
  }
}

/**
 * The subscription whose end is told to somebody who leaves: of those that are over, and that were paid for or running
 * until lately, the one that is paid for the longest. One that ended long ago is no news.
 * @param since from when on an end is told, in ms
 */
export function endToTell(
  subscriptions: readonly Subscription[],
  { now, since }: { now: number; since: number },
): EndedSubscription | null {
  const [latest] = subscriptions
    .filter((one) => !isToBeBilled(one) && (one.periodEnd > now || one.updatedAt >= since))
    .toSorted((a, b) => b.periodEnd - a.periodEnd);
  if (latest === undefined) return null;
  const { id, status, periodEnd } = latest;
  return {
    id,
    status: status === 'expired' ? 'expired' : 'cancelled',
    paid_until: new Date(periodEnd).toISOString(),
  };
}
