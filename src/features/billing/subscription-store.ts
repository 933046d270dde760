import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { paymentEvents, subscriptions } from '../../db/schema/billing.ts';
import { CLAIM_KIND, getClaimKeyRange } from './event-keys.ts';
import { BILLABLE_STATUSES, type Subscription, type SubscriptionStatus } from './subscription-rules.ts';

/** Returns all subscriptions of a user, newest first. */
export async function listSubscriptions(db: Database, userId: string): Promise<Subscription[]> {
  return db
    .select({
      id: subscriptions.id,
      status: subscriptions.status,
      periodEnd: subscriptions.periodEnd,
      updatedAt: subscriptions.updatedAt,
    })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id));
}

/**
 * Returns the subscriptions that a user has claimed, that the provider has not confirmed yet, and that are not stored.
 */
export async function listOpenClaims(db: Database, userId: string): Promise<string[]> {
  const [from, to] = getClaimKeyRange(userId);
  const { id, kind, subscriptionId, handledAt } = paymentEvents;
  const rows = await db
    .select({ id: subscriptionId })
    .from(paymentEvents)
    .where(
      and(
        gte(id, from),
        lt(id, to),
        eq(kind, CLAIM_KIND),
        isNull(handledAt),
        isNotNull(subscriptionId),
        sql`not exists (select 1 from ${subscriptions} where ${subscriptions.id} = ${subscriptionId})`,
      ),
    );
  return rows.flatMap((row) => (row.id === null ? [] : [row.id]));
}

/** Whether a user may still be billed for anything. */
export async function hasBillableSubscription(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.status, [...BILLABLE_STATUSES])))
    .get();
  return row !== undefined;
}

/**
 * Stores the status that the provider has just reported. Repeating a status keeps the time of its last change.
 * @param now in ms
 */
export async function saveSubscriptionStatus(
  db: Database,
  { id, status, now }: { id: string; status: SubscriptionStatus; now: number },
): Promise<void> {
  await db
    .update(subscriptions)
    .set({
      status,
      // Always increases, so that a concurrent settlement notices this write.
      reconciledAt: sql`max(${now}, ${subscriptions.reconciledAt} + 1)`,
      updatedAt: sql`case when ${subscriptions.status} = ${status} then ${subscriptions.updatedAt} else ${now} end`,
    })
    .where(eq(subscriptions.id, id));
}
