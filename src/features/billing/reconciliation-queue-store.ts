import { and, asc, desc, eq, gt, lte, or, type SQL, sql } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { subscriptions } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';

/** When the company was asked last, with or without an answer; of one that nothing is written down of, see `recordUnanswered`. */
const lastCheckedAt: SQL<number> = sql`case when ${subscriptions.checkedAt} = 0 then ${subscriptions.updatedAt} else ${subscriptions.checkedAt} end`;

/**
 * Subscriptions that nobody told of for long, and those that have just run out: of both an event may have been lost.
 * Those that have just run out come first, because benefits end a day later; then whoever waited longest.
 */
export async function listDueForReconciliation(db: Database, now: number): Promise<string[]> {
  const {
    reconcileAfterMs: askedAfterMs,
    reconcileAfterEndMs: askedAfterEndMs,
    settlementGraceMs: settlesMs,
    maxReconciledPerRun: askedPerRun,
  } = BILLING;
  const justEnded = and(
    lte(subscriptions.periodEnd, now),
    gt(subscriptions.periodEnd, now - 2 * settlesMs),
    or(lte(lastCheckedAt, subscriptions.periodEnd), lte(lastCheckedAt, now - askedAfterEndMs)),
  ) as SQL;
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        // One that is over has nothing more to come, but while it is paid for, money may go back.
        or(
          sql`${subscriptions.status} in ('active', 'suspended')`,
          gt(subscriptions.periodEnd, now - settlesMs),
        ),
        or(lte(lastCheckedAt, now - askedAfterMs), justEnded),
      ),
    )
    .orderBy(desc(justEnded), asc(lastCheckedAt))
    .limit(askedPerRun);
  return rows.map(({ id }) => id);
}

/**
 * Writes down that the company was asked and gave no answer, so that others have their turn before it is asked again.
 * `checked_at` says of one that was begun and not settled that nothing is written down of it: that stays so.
 */
export async function recordUnanswered(db: Database, id: string, now: number): Promise<void> {
  await db.update(subscriptions).set(buildCheckedUpdate(now)).where(eq(subscriptions.id, id));
}

/** That the company was asked, and nothing was found out. */
export function buildCheckedUpdate(now: number) {
  const isNew = sql`${subscriptions.checkedAt} = 0`;
  return {
    checkedAt: sql`case when ${isNew} then 0 else max(${now}, ${subscriptions.checkedAt} + 1) end`,
    updatedAt: sql`case when ${isNew} then ${now} else ${subscriptions.updatedAt} end`,
  };
}
