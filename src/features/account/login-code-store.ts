import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { LOGIN_CODE } from '../../config.ts';
import { equalInConstantTime } from '../../constant-time.ts';
import type { Database } from '../../db/open.ts';
import { loginCodes } from '../../db/schema.ts';

/**
 * Keeps a new code for an address, unless one was sent too recently. One conditional write, so
 * that of many requests at once only one may send.
 * @returns true when the code was kept and may be sent; otherwise when the next one may be, in ms
 */
export async function keepLoginCode(
  db: Database,
  input: { email: string; codeHash: string; now: number },
): Promise<true | { retryAt: number }> {
  const fresh = {
    codeHash: input.codeHash,
    sentAt: input.now,
    expiresAt: input.now + LOGIN_CODE.lifetimeMs,
    tries: 0,
  };
  const kept = await db
    .insert(loginCodes)
    .values({ email: input.email, ...fresh })
    .onConflictDoUpdate({
      target: loginCodes.email,
      set: fresh,
      setWhere: lte(loginCodes.sentAt, input.now - LOGIN_CODE.resendAfterMs),
    })
    .returning({ email: loginCodes.email });
  if (kept.length > 0) return true;
  const row = await db
    .select({ sentAt: loginCodes.sentAt })
    .from(loginCodes)
    .where(eq(loginCodes.email, input.email))
    .get();
  return { retryAt: (row?.sentAt ?? input.now) + LOGIN_CODE.resendAfterMs };
}

/** Forgets a code that could not be sent, so that its owner need not wait for another. */
export async function dropLoginCode(db: Database, input: { email: string; codeHash: string }): Promise<void> {
  await db
    .delete(loginCodes)
    .where(and(eq(loginCodes.email, input.email), eq(loginCodes.codeHash, input.codeHash)));
}

/**
 * Tries a code. The try is counted before the code is compared, so that guesses sent at once count
 * each; a code that fits is deleted in one write, so that it serves once and its address is free.
 */
export async function useLoginCode(
  db: Database,
  input: { email: string; codeHash: string; now: number },
): Promise<boolean> {
  const row = await db
    .update(loginCodes)
    .set({ tries: sql`${loginCodes.tries} + 1` })
    .where(
      and(
        eq(loginCodes.email, input.email),
        gt(loginCodes.expiresAt, input.now),
        lt(loginCodes.tries, LOGIN_CODE.maxTries),
      ),
    )
    .returning({ codeHash: loginCodes.codeHash })
    .get();
  if (row === undefined || !equalInConstantTime(row.codeHash, input.codeHash)) return false;
  const used = await db
    .delete(loginCodes)
    .where(and(eq(loginCodes.email, input.email), eq(loginCodes.codeHash, input.codeHash)))
    .returning({ email: loginCodes.email });
  return used.length > 0;
}

/** Removes codes whose time is long over; run by cron. */
export async function removeExpiredLoginCodes(db: Database, now: number): Promise<void> {
  await db.delete(loginCodes).where(lt(loginCodes.expiresAt, now - LOGIN_CODE.resendAfterMs));
}
