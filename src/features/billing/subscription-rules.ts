import { BILLING } from './limits.ts';
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
export const BILLABLE_STATUSES = ['active', 'suspended'] as const satisfies SubscriptionStatus[];

export const isBillable = ({ status }: Pick<Subscription, 'status'>): boolean =>
  BILLABLE_STATUSES.some((one) => one === status);

/** Whether one is agreed to and nothing of it is due yet. */
export const isScheduled = ({ beginsAt }: { beginsAt: number | null }, now: number): boolean =>
  beginsAt !== null && beginsAt > now + BILLING.clockToleranceMs;

/** By what it is known whether one is a stranger's. */
interface PayerInfo {
  /** From when on it is paid; null where nobody says so. */
  beginsAt: number | null;
  payerHash: string | null;
  /** Its owner has said that it is theirs, in a session of their own. */
  isClaimed: boolean;
}

/** Whether one is to come, and a stranger has agreed to it: whoever paid for this account until now has not. */
export function isFromOtherPayer<One extends PayerInfo>(one: One, all: readonly One[], now: number): boolean {
  if (!isScheduled(one, now) || one.isClaimed || one.payerHash === null) return false;
  const known = all.filter((other) => other !== one && other.payerHash !== null && !isScheduled(other, now));
  return known.length > 0 && known.every(({ payerHash }) => payerHash !== one.payerHash);
}

/** One of somebody's subscriptions that may be billed. */
export interface BillableSubscription extends PayerInfo {
  id: string;
  status: SubscriptionStatus;
  /** Until when it is paid for, in ms. */
  periodEnd: number;
  isFailing: boolean;
  /** When it was seen here first. */
  createdAt: number;
}

/** Whether nothing is paid of one, and nothing is on its way but a first payment. */
const isUnpaid = (
  { status, isFailing, periodEnd, createdAt, beginsAt }: BillableSubscription,
  now: number,
): boolean =>
  periodEnd <= now &&
  (status !== 'active' ||
    isFailing ||
    periodEnd <= now - BILLING.settlementGraceMs ||
    periodEnd <= Math.max(createdAt, beginsAt ?? 0));

const hasSamePayer = (one: BillableSubscription, other: BillableSubscription): boolean =>
  one.payerHash !== null && one.payerHash === other.payerHash;

/**
 * Of several that run, which one takes whose place. Ids of accounts are known to many: anybody can agree to a subscription
 * in somebody else's name, and have them say that it is theirs. By that they give a present, and end nothing that is paid.
 * - One that has begun makes room for a newer one once that is paid for: its first payment may never come. The newer must
 *   be of the same payer; of another one its owner has said is theirs, it takes the place of what is not paid for.
 * - One that is to come makes room at once, for nothing of it is paid: for one that its owner has said is theirs rather
 *   than for another, and else for the newest. Only what is known to be a stranger's present stays.
 * @param running the newest first
 */
export function findReplacements(
  running: readonly BillableSubscription[],
  now: number,
): { older: string; newer: string }[] {
  const isBetter = (one: BillableSubscription, than: BillableSubscription): boolean =>
    one.isClaimed === than.isClaimed ? running.indexOf(one) < running.indexOf(than) : one.isClaimed;
  return running.flatMap((older, place) => {
    const newer = isScheduled(older, now)
      ? running.find(
          (one) =>
            one !== older &&
            one.status === 'active' &&
            !one.isFailing &&
            (hasSamePayer(one, older) ||
              (one.isClaimed && (older.payerHash === null || one.payerHash === null))) &&
            isBetter(one, older),
        )
      : running
          .slice(0, place)
          .find(
            (one) =>
              one.status === 'active' &&
              one.periodEnd > now &&
              (hasSamePayer(one, older) || (one.isClaimed && isUnpaid(older, now))),
          );
    return newer === undefined ? [] : [{ older: older.id, newer: newer.id }];
  });
}

/** PayPal's word for a state as our books write it; null for one before a subscription has begun. */
export function parseSubscriptionStatus(providerStatus: string): SubscriptionStatus | null {
  switch (providerStatus) {
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
export function findEndedSubscription(
  subscriptions: readonly Subscription[],
  { now, since }: { now: number; since: number },
): EndedSubscription | null {
  const [latest] = subscriptions
    .filter((one) => !isBillable(one) && (one.periodEnd > now || one.updatedAt >= since))
    .toSorted((a, b) => b.periodEnd - a.periodEnd);
  if (latest === undefined) return null;
  const { id, status, periodEnd } = latest;
  return {
    id,
    status: status === 'expired' ? 'expired' : 'cancelled',
    paid_until: new Date(periodEnd).toISOString(),
  };
}
