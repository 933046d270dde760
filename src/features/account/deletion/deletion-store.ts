import type { BatchItem } from 'drizzle-orm/batch';
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { DELETION_LINK } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { deletionRequests, mails } from '../../../db/schema/core.ts';

/** A link that somebody asks for. */
export interface NewDeletionRequest {
  userId: string;
  tokenHash: string;
  /** The write that puts the mail with it into the outbox, `about` the hash. */
  mail: BatchItem<'sqlite'>;
  now: number;
}

/**
 * Keeps a request, with the mail that has its link, unless one was sent too recently. It replaces the one
 * before, whose mail does not go out any more. One batch: of many requests at once, one counts and one mail goes out.
 * @returns true when it was kept; otherwise when the next one may be, in ms
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
    // The one before, or this one when it was refused: only the mail with the link that works goes out.
    db
      .delete(mails)
      .where(
        and(
          eq(mails.userId, userId),
          eq(mails.kind, 'deletion_link'),
          sql`${mails.about} not in (select ${deletionRequests.tokenHash} from ${deletionRequests} where ${deletionRequests.userId} = ${userId})`,
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

/** Somebody's own request that this token confirms, as a condition; a link of somebody else's is none. */
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

/** Whether a token confirms this person's request now. */
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

/** Removes requests that nobody can confirm any more; run by cron. */
export async function removeExpiredDeletionRequests(db: Database, now: number): Promise<void> {
  await db.delete(deletionRequests).where(lt(deletionRequests.expiresAt, now));
}
