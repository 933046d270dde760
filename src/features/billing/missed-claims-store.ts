import { and, asc, eq, gt, gte, lt } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { paymentEvents } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';
import { newId } from '../../lib/ids.ts';
import { claimsOf, MISS_KIND, missId } from './event-keys.ts';

/**
 * Writes down that somebody named a subscription that the company does not know, or somebody else's. Each costs the operator a question, and
 * whoever asks too many keeps others from being answered.
 */
export async function keepMiss(db: Database, userId: string, now: number): Promise<void> {
  await db.insert(paymentEvents).values({
    id: missId(userId, newId(now)),
    kind: MISS_KIND,
    subscriptionId: null,
    receivedAt: now,
    handledAt: now,
    tryAt: now,
  });
}

/** @returns when somebody who named too many of those within the hour may name the next one, in ms; null: now */
export async function mayNameAgainAt(db: Database, userId: string, now: number): Promise<number | null> {
  const [from, to] = claimsOf(userId);
  const { id, kind, receivedAt } = paymentEvents;
  const missed = await db
    .select({ at: receivedAt })
    .from(paymentEvents)
    .where(and(gte(id, from), lt(id, to), eq(kind, MISS_KIND), gt(receivedAt, now - BILLING.missesWithinMs)))
    .orderBy(asc(id))
    .limit(BILLING.misses);
  const first = missed[0];
  return first === undefined || missed.length < BILLING.misses ? null : first.at + BILLING.missesWithinMs;
}
