import { and, asc, eq, gt, gte, lt } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { paymentEvents } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';
import { createId } from '../../lib/ids.ts';
import { getClaimKeyRange, UNKNOWN_CLAIM_KIND, buildUnknownClaimKey } from './event-keys.ts';

/**
 * Writes down that somebody named a subscription that the company does not know, or somebody else's. Each costs the operator a question, and
 * whoever asks too many keeps others from being answered.
 */
export async function recordMissedClaim(db: Database, userId: string, now: number): Promise<void> {
  await db.insert(paymentEvents).values({
    id: buildUnknownClaimKey(userId, createId(now)),
    kind: UNKNOWN_CLAIM_KIND,
    subscriptionId: null,
    receivedAt: now,
    handledAt: now,
    tryAt: now,
  });
}

/** @returns when somebody who named too many of those within the hour may name the next one, in ms; null: now */
export async function getNextClaimAt(db: Database, userId: string, now: number): Promise<number | null> {
  const [from, to] = getClaimKeyRange(userId);
  const { id, kind, receivedAt } = paymentEvents;
  const missed = await db
    .select({ at: receivedAt })
    .from(paymentEvents)
    .where(
      and(
        gte(id, from),
        lt(id, to),
        eq(kind, UNKNOWN_CLAIM_KIND),
        gt(receivedAt, now - BILLING.missedClaimsWindowMs),
      ),
    )
    .orderBy(asc(id))
    .limit(BILLING.maxMissedClaims);
  const first = missed[0];
  return first === undefined || missed.length < BILLING.maxMissedClaims
    ? null
    : first.at + BILLING.missedClaimsWindowMs;
}
