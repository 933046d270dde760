import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { usedTokens, users } from '../../db/schema/core.ts';
import { computeHash } from '../../lib/hash.ts';

/** The most that our clock and a token issuer's clock may differ. */
const CLOCK_LEEWAY_MS = 5 * 60_000;

/** A subscription agreed to in the name of a deleted account surfaces with its next payment, at most a year later. */
const DELETED_ACCOUNT_RETENTION_MS = 400 * 24 * 3_600_000;

/**
 * Claims a token of a third party, once.
 * @param input.expiresAt when its issuer stops accepting it, in ms
 * @returns false when it was claimed before
 */
export async function claimToken(
  db: Database,
  input: { token: string; expiresAt: number },
): Promise<boolean> {
  const hash = await computeHash(input.token);
  const inserted = await db
    .insert(usedTokens)
    .values({ hash, expiresAt: input.expiresAt + CLOCK_LEEWAY_MS })
    .onConflictDoNothing()
    .returning({ hash: usedTokens.hash });
  return inserted.length > 0;
}

/** Hash that records the deletion of an account. It identifies no one, but a caller who knows the id can look it up. */
export const hashDeletedUserId = (userId: string): Promise<string> => computeHash(`gone:${userId}`);

/**
 * Statement that records the deletion of an account, for the batch that deletes it. Guests are not recorded.
 * @param input.goes whether that batch may delete the account
 */
export function insertDeletedAccountStatement(
  db: Database,
  { userId, hash, goes, now }: { userId: string; hash: string; goes: SQL; now: number },
) {
  const account = and(eq(users.id, userId), eq(users.isAnonymous, false), eq(users.isSystem, false), goes);
  return db
    .insert(usedTokens)
    .select(
      db
        .select({
          hash: sql<string>`${hash}`.as('hash'),
          expiresAt: sql<number>`${now + DELETED_ACCOUNT_RETENTION_MS}`.as('expires_at'),
        })
        .from(users)
        .where(account),
    )
    .onConflictDoNothing();
}

/** Whether an account of this database was deleted. Unknown for accounts of other databases, so false. */
export async function isDeletedAccount(db: Database, userId: string): Promise<boolean> {
  const hash = await hashDeletedUserId(userId);
  const row = await db
    .select({ hash: usedTokens.hash })
    .from(usedTokens)
    .where(eq(usedTokens.hash, hash))
    .get();
  return row !== undefined;
}

/** Removes expired tokens; run by cron. */
export async function removeExpiredTokens(db: Database, now: number): Promise<void> {
  await db.delete(usedTokens).where(lt(usedTokens.expiresAt, now));
}
