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

/** One of somebody's subscriptions that may be billed. */
export interface Running {
  id: string;
  status: SubscriptionStatus;
  payerHash: string | null;
  /** Until when it is paid for, in ms. */
  periodEnd: number;
}

/**
 * Of several that run, which one takes whose place: a newer one that its owner has said is theirs, or that the same payer
 * pays, once it is paid for: its first payment may never come. Ids of accounts are known to many, and anybody can agree to
 * a subscription in somebody else's name: by that they give a present, and end nothing.
 * @param running the newest first
 * @param claimed which of them their owner said are theirs, in a session of their own
 */
export function replacedBy(
  running: readonly Running[],
  claimed: ReadonlySet<string>,
  now: number,
): { older: string; newer: string }[] {
  return running.flatMap(({ id, payerHash }, place) => {
    const newer = running
      .slice(0, place)
      .find(
        (one) =>
          one.status === 'active' &&
          one.periodEnd > now &&
          (claimed.has(one.id) || (payerHash !== null && payerHash === one.payerHash)),
      );
    return newer === undefined ? [] : [{ older: id, newer: newer.id }];
  });
}

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
