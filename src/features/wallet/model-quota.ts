import { isLimitReached, type Spend, type SpendLimits, addSpends } from '../model/spend.ts';

/** What bounds one person's use of models, beside their points. A membership covers messages; it does not lift these. */
export interface ModelQuota {
  /** What is written for one person at a time. */
  repliesAtOnce: number;
  /** What their own day may come to. */
  perDay: SpendLimits;
}

/** What runs for a person now: how many, and the most that these may come to. */
export interface RunningUsage extends Spend {
  replies: number;
}

export type QuotaExceeded = 'too_many_replies' | 'daily_cost_reached';

/**
 * Whether one more may begin. What runs counts as the most that it may come to, so that however many begin at once, a day
 * never comes to more than its bound and one reply.
 * @param spent on the person's own day
 */
export function checkModelQuota(
  quota: ModelQuota,
  spent: Spend,
  running: RunningUsage,
): QuotaExceeded | null {
  if (running.replies >= quota.repliesAtOnce) return 'too_many_replies';
  return isLimitReached(quota.perDay, addSpends(spent, running)) ? 'daily_cost_reached' : null;
}
