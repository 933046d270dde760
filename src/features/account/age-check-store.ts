import { and, eq, notExists } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { usedTokens, users } from '../../db/schema/core.ts';
import { computeHash } from '../../lib/hash.ts';

/**
 * Writes down what a check of somebody's age came to, once for each request: an adult's age is confirmed from now on,
 * anybody else's is not, and their spicy mode goes off.
 * @param input.expiresAt when the request is over, in ms
 * @returns `used` when the request was answered before; `gone` when there is no such account any more
 */
export async function recordAgeCheck(
  db: Database,
  input: { request: string; userId: string; isAdult: boolean; expiresAt: number; now: number },
): Promise<'taken' | 'used' | 'gone'> {
  // Prefixed: what others issue is kept in the same table.
  const hash = await computeHash(`age-check ${input.request}`);
  const answered = db.select({ hash: usedTokens.hash }).from(usedTokens).where(eq(usedTokens.hash, hash));
  // One batch, the account first: of two results at once the second finds the request answered.
  const [changed, consumed] = await db.batch([
    db
      .update(users)
      .set({
        updatedAt: input.now,
        ageConfirmed: input.isAdult,
        ageCheckedAt: input.isAdult ? input.now : null,
        ...(input.isAdult ? {} : { spicyMode: false }),
      })
      .where(and(eq(users.id, input.userId), eq(users.isAnonymous, false), notExists(answered)))
      .returning({ id: users.id }),
    db
      .insert(usedTokens)
      .values({ hash, expiresAt: input.expiresAt })
      .onConflictDoNothing()
      .returning({ hash: usedTokens.hash }),
  ]);
  if (consumed.length === 0) return 'used';
  return changed.length === 0 ? 'gone' : 'taken';
}
