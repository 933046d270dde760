import { isSpent, type Spend, type SpendLimits, sumOfSpends } from '../model/spend.ts';

/** What bounds one person's use of models, beside their points. A membership covers messages; it does not lift these. */
export interface ModelBounds {
  /** What is written for one person at a time. */
  repliesAtOnce: number;
  /** What their own day may come to. */
  perDay: SpendLimits;
}

/** What runs for a person now: how many, and the most that these may come to. */
export interface Running extends Spend {
  replies: number;
}

export type BoundReached = 'too_many_replies' | 'daily_cost_reached';

/**
 * Whether one more may begin. What runs counts as the most that it may come to, so that however many begin at once, a day
 * never comes to more than its bound and one reply.
 * @param spent on the person's own day
 */
export function boundReached(bounds: ModelBounds, spent: Spend, running: Running): BoundReached | null {
  if (running.replies >= bounds.repliesAtOnce) return 'too_many_replies';
  return isSpent(bounds.perDay, sumOfSpends(spent, running)) ? 'daily_cost_reached' : null;
}
