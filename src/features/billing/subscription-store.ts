import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { paymentEvents, subscriptions } from '../../db/schema/billing.ts';
import { CLAIM_KIND, getClaimKeyRange } from './event-keys.ts';
import { BILLABLE_STATUSES, type Subscription, type SubscriptionStatus } from './subscription-rules.ts';

/** Everything that somebody ever subscribed to, newest first. */
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

/** What somebody says is theirs, and of which the company has not answered yet: nothing of it is in the books. */
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

/** Whether somebody may still be billed for anything. */
export async function hasBillableSubscription(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.status, [...BILLABLE_STATUSES])))
    .get();
  return row !== undefined;
}

/**
 * Writes down what the payment company has just said. Said again, it is not news: when a state began stays as it was.
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
      // It only ever moves on: a settling knows by it that somebody wrote.
      checkedAt: sql`max(${now}, ${subscriptions.checkedAt} + 1)`,
      updatedAt: sql`case when ${subscriptions.status} = ${status} then ${subscriptions.updatedAt} else ${now} end`,
    })
    .where(eq(subscriptions.id, id));
}
