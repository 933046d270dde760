import type { BatchItem } from 'drizzle-orm/batch';
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { DELETION_LINK } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { deletionRequests, mails } from '../../../db/schema/core.ts';

/** A requested confirmation link. */
export interface NewDeletionRequest {
  userId: string;
  tokenHash: string;
  /** Statement that adds the mail with the link to the outbox, with the hash as its `dedupeKey`. */
  mail: BatchItem<'sqlite'>;
  now: number;
}

/**
 * Saves a request and queues the mail with its link, unless the last one was sent too recently. The request replaces
 * the previous one, whose unsent mail is dropped. One batch: of concurrent requests, one is saved and one mail is sent.
 * @returns true when the request was saved; otherwise when the next one is allowed, in ms
 */
export async function saveDeletionRequest(
  db: Database,
  { userId, tokenHash, mail, now }: NewDeletionRequest,
): Promise<true | { retryAt: number }> {
  const fresh = { tokenHash, requestedAt: now, expiresAt: now + DELETION_LINK.lifetimeMs };
  const [saved] = await db.batch([
    db
      .insert(deletionRequests)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({
        target: deletionRequests.userId,
        set: fresh,
        setWhere: lte(deletionRequests.requestedAt, now - DELETION_LINK.resendAfterMs),
      })
      .returning({ userId: deletionRequests.userId }),
    mail,
    // Deletes the previous mail, or this one when the request was refused: only the mail with the valid link is sent.
    db
      .delete(mails)
      .where(
        and(
          eq(mails.userId, userId),
          eq(mails.kind, 'deletion_link'),
          sql`${mails.dedupeKey} not in (select ${deletionRequests.tokenHash} from ${deletionRequests} where ${deletionRequests.userId} = ${userId})`,
        ),
      ),
  ]);
  if (saved.length > 0) return true;
  const row = await db
    .select({ requestedAt: deletionRequests.requestedAt })
    .from(deletionRequests)
    .where(eq(deletionRequests.userId, userId))
    .get();
  return { retryAt: (row?.requestedAt ?? now) + DELETION_LINK.resendAfterMs };
}

/** Condition that a token confirms the user's own request; links of other users never match. */
export const matchDeletionRequest = ({
  userId,
  tokenHash,
  now,
}: {
  userId: string;
  tokenHash: string;
  now: number;
}) =>
  and(
    eq(deletionRequests.userId, userId),
    eq(deletionRequests.tokenHash, tokenHash),
    gt(deletionRequests.expiresAt, now),
  );

/** Whether a token confirms this user's request now. */
export async function isDeletionTokenValid(
  db: Database,
  input: { userId: string; tokenHash: string; now: number },
): Promise<boolean> {
  const row = await db
    .select({ userId: deletionRequests.userId })
    .from(deletionRequests)
    .where(matchDeletionRequest(input))
    .get();
  return row !== undefined;
}

/** Removes requests that can no longer be confirmed; run by cron. */
export async function removeExpiredDeletionRequests(db: Database, now: number): Promise<void> {
  await db.delete(deletionRequests).where(lt(deletionRequests.expiresAt, now));
}
