import { lt } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { usedTokens } from '../../db/schema.ts';
import { hashOf } from '../hash.ts';

/** Our clock and that of whoever issued a token may differ by so much. */
const CLOCK_LEEWAY_MS = 5 * 60_000;

/**
 * Takes a token of somebody else's making, once.
 * @param input.expiresAt until when it is worth anything to whoever issued it, in ms
 * @returns false when it was taken before
 */
export async function takeToken(db: Database, input: { token: string; expiresAt: number }): Promise<boolean> {
  const hash = await hashOf(input.token);
  const taken = await db
    .insert(usedTokens)
    .values({ hash, expiresAt: input.expiresAt + CLOCK_LEEWAY_MS })
    .onConflictDoNothing()
    .returning({ hash: usedTokens.hash });
  return taken.length > 0;
}

/** Removes tokens that nobody would take any more; run by cron. */
export async function removeExpiredTokens(db: Database, now: number): Promise<void> {
  await db.delete(usedTokens).where(lt(usedTokens.expiresAt, now));
}
