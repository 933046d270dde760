import { isLimitReached, type Spend, type SpendLimits, addSpends } from '../model/spend.ts';

/** Limits of one user's model use, in addition to points. They also apply to members. */
export interface ModelQuota {
  /** Maximum number of concurrent generations. */
  repliesAtOnce: number;
  /** Maximum spend per local day. */
  perDay: SpendLimits;
}

/** A user's running calls: their number and maximum spend. */
export interface RunningUsage extends Spend {
  replies: number;
}

export type QuotaExceeded = 'too_many_replies' | 'daily_usage_limit';

/**
 * Whether another call may start. Running calls count with their maximum, so that concurrent calls exceed the daily limit
 * by at most one reply.
 * @param spent spend on the user's current local day
 */
export function checkModelQuota(
  quota: ModelQuota,
  spent: Spend,
  running: RunningUsage,
): QuotaExceeded | null {
  if (running.replies >= quota.repliesAtOnce) return 'too_many_replies';
  return isLimitReached(quota.perDay, addSpends(spent, running)) ? 'daily_usage_limit' : null;
}
