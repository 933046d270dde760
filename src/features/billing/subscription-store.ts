import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { subscriptions } from '../../db/billing-schema.ts';
import { TO_BE_BILLED, type Subscription, type SubscriptionStatus } from './subscription-rules.ts';

/** Everything that somebody ever subscribed to, newest first. */
export async function subscriptionsOf(db: Database, userId: string): Promise<Subscription[]> {
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

/** Whether somebody may still be billed for anything. */
export async function isBilled(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.status, [...TO_BE_BILLED])))
    .get();
  return row !== undefined;
}

/**
 * Writes down what the payment company has just said. Said again, it is not news: when a state began stays as it was.
 * @param now in ms
 */
export async function keepStatus(
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
