import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { usedTokens, users } from '../../db/schema/core.ts';
import { computeHash } from '../../lib/hash.ts';

/** Our clock and that of whoever issued a token may differ by so much. */
const CLOCK_LEEWAY_MS = 5 * 60_000;

/** What was agreed to in a gone account's name comes to light with its next payment, a year later at the most. */
const DELETED_ACCOUNT_RETENTION_MS = 400 * 24 * 3_600_000;

/**
 * Takes a token of somebody else's making, once.
 * @param input.expiresAt until when it is worth anything to whoever issued it, in ms
 * @returns false when it was taken before
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

/** By what it is known that an account was here and is gone, to whoever has its number from elsewhere; it names nobody. */
export const hashDeletedUserId = (userId: string): Promise<string> => computeHash(`gone:${userId}`);

/**
 * The write that keeps that an account was here, for the batch with which it goes. Guests leave no such mark.
 * @param input.goes whether they may go, as that batch asks it
 */
export function insertDeletedAccountStatement(
  db: Database,
  { userId, hash, goes, now }: { userId: string; hash: string; goes: SQL; now: number },
) {
  const account = and(eq(users.id, userId), eq(users.isAnonymous, false), eq(users.isHouse, false), goes);
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

/** Whether it is known that an account was here and is gone. Of an account of another database nothing is. */
export async function isDeletedAccount(db: Database, userId: string): Promise<boolean> {
  const hash = await hashDeletedUserId(userId);
  const row = await db
    .select({ hash: usedTokens.hash })
    .from(usedTokens)
    .where(eq(usedTokens.hash, hash))
    .get();
  return row !== undefined;
}

/** Removes tokens that nobody would take any more; run by cron. */
export async function removeExpiredTokens(db: Database, now: number): Promise<void> {
  await db.delete(usedTokens).where(lt(usedTokens.expiresAt, now));
}
