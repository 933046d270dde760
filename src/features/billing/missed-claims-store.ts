import { and, asc, eq, gt, gte, lt } from 'drizzle-orm';
import { BILLING } from './limits.ts';
import { paymentEvents } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';
import { createId } from '../../lib/ids.ts';
import { getClaimKeyRange, UNKNOWN_CLAIM_KIND, buildUnknownClaimKey } from './event-keys.ts';

/**
 * Records a claim on a subscription that the provider does not know, or that is another user's. Each costs a call to
 * the provider, and too many of them would keep other users waiting.
 */
export async function recordMissedClaim(db: Database, userId: string, now: number): Promise<void> {
  await db.insert(paymentEvents).values({
    id: buildUnknownClaimKey(userId, createId(now)),
    kind: UNKNOWN_CLAIM_KIND,
    subscriptionId: null,
    receivedAt: now,
    handledAt: now,
    retryAt: now,
  });
}

/** @returns when a user with too many such claims within the hour may make the next one, in ms; null for right away */
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
