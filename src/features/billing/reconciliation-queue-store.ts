import { and, asc, desc, eq, gt, lte, or, type SQL, sql } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { subscriptions } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';

/**
 * When the provider was last asked, with or without an answer; for a subscription that was never settled, see
 * `recordUnanswered`.
 */
const lastReconciledAt: SQL<number> = sql`case when ${subscriptions.reconciledAt} = 0 then ${subscriptions.updatedAt} else ${subscriptions.reconciledAt} end`;

/**
 * Returns subscriptions without news for a long time, and those whose period has just ended: an event may be lost in
 * both cases. The latter come first, because their benefits end a day later; then the longest waiting.
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
    or(lte(lastReconciledAt, subscriptions.periodEnd), lte(lastReconciledAt, now - askedAfterEndMs)),
  ) as SQL;
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        // An ended subscription has no more payments, but they can be refunded while the paid period lasts.
        or(
          sql`${subscriptions.status} in ('active', 'suspended')`,
          gt(subscriptions.periodEnd, now - settlesMs),
        ),
        or(lte(lastReconciledAt, now - askedAfterMs), justEnded),
      ),
    )
    .orderBy(desc(justEnded), asc(lastReconciledAt))
    .limit(askedPerRun);
  return rows.map(({ id }) => id);
}

/**
 * Records that the provider was asked and did not answer, so that other subscriptions get their turn before it is asked
 * again. A `reconciled_at` of 0 marks a subscription that was never settled, and is kept.
 */
export async function recordUnanswered(db: Database, id: string, now: number): Promise<void> {
  await db.update(subscriptions).set(buildCheckedUpdate(now)).where(eq(subscriptions.id, id));
}

/** Columns that record a check without a result. */
export function buildCheckedUpdate(now: number) {
  const isNew = sql`${subscriptions.reconciledAt} = 0`;
  return {
    reconciledAt: sql`case when ${isNew} then 0 else max(${now}, ${subscriptions.reconciledAt} + 1) end`,
    updatedAt: sql`case when ${isNew} then ${now} else ${subscriptions.updatedAt} end`,
  };
}
