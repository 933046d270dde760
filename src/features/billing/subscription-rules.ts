import { BILLING } from './limits.ts';
import type { EndedSubscription } from './contract.ts';

export type SubscriptionStatus = 'active' | 'suspended' | 'cancelled' | 'expired';

/** A stored subscription; times are in ms. */
export interface Subscription {
  id: string;
  status: SubscriptionStatus;
  /** Paid until then. */
  periodEnd: number;
  /** When its state last changed. */
  updatedAt: number;
}

/** The states in which the provider may still charge: a suspended subscription can be resumed. */
export const BILLABLE_STATUSES = ['active', 'suspended'] as const satisfies SubscriptionStatus[];

export const isBillable = ({ status }: Pick<Subscription, 'status'>): boolean =>
  BILLABLE_STATUSES.some((one) => one === status);

/** Whether it was agreed to, and nothing is due yet. */
export const isScheduled = ({ startsAt }: { startsAt: number | null }, now: number): boolean =>
  startsAt !== null && startsAt > now + BILLING.clockToleranceMs;

/** Data that shows whether a stranger agreed to a subscription. */
interface PayerInfo {
  /** When charging starts; null where that is unknown. */
  startsAt: number | null;
  payerHash: string | null;
  /** Its owner has claimed it in their own session. */
  isClaimed: boolean;
}

/** Whether it is scheduled and a stranger agreed to it: none of the account's previous payers did. */
export function isFromOtherPayer<One extends PayerInfo>(one: One, all: readonly One[], now: number): boolean {
  if (!isScheduled(one, now) || one.isClaimed || one.payerHash === null) return false;
  const known = all.filter((other) => other !== one && other.payerHash !== null && !isScheduled(other, now));
  return known.length > 0 && known.every(({ payerHash }) => payerHash !== one.payerHash);
}

/** A subscription that may be billed. */
export interface BillableSubscription extends PayerInfo {
  id: string;
  status: SubscriptionStatus;
  /** Paid until then, in ms. */
  periodEnd: number;
  paymentFailed: boolean;
  /** When we first saw it. */
  createdAt: number;
}

/** Whether its paid period is over and no renewal is pending; a pending first payment still counts as unpaid. */
const isUnpaid = (
  { status, paymentFailed, periodEnd, createdAt, startsAt }: BillableSubscription,
  now: number,
): boolean =>
  periodEnd <= now &&
  (status !== 'active' ||
    paymentFailed ||
    periodEnd <= now - BILLING.settlementGraceMs ||
    periodEnd <= Math.max(createdAt, startsAt ?? 0));

const hasSamePayer = (one: BillableSubscription, other: BillableSubscription): boolean =>
  one.payerHash !== null && one.payerHash === other.payerHash;

/**
 * Decides which of several running subscriptions replaces which. Account ids are known to many, so anyone can agree to
 * a subscription in another user's name and have that user claim it. That is a gift, and must not end anything paid.
 * - A subscription that has started is replaced by a newer one once that is paid, because its first payment may never
 *   come. The newer one must have the same payer; one of another payer that the owner has claimed replaces an unpaid
 *   one.
 * - A scheduled subscription is replaced at once, because nothing of it is paid: by a claimed one in preference to
 *   others, otherwise by the newest. Only what is known to be a stranger's gift is kept.
 *
 * @param running newest first
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
            !one.paymentFailed &&
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

/** Converts PayPal's status to ours; null for the states before a subscription has started. */
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
 * Returns the ended subscription to name to a user who deletes their account: of those that were paid for or running
 * until recently, the one that is paid the longest. Others ended long ago and are no news.
 * @param since the earliest end to report, in ms
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
