import { and, eq, notExists } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { usedTokens, users } from '../../db/schema/core.ts';
import { computeHash } from '../../lib/hash.ts';

/**
 * Records the result of an age check, once per request. An adult's age becomes confirmed; for anyone else the
 * confirmation is removed and spicy mode is turned off.
 * @param input.expiresAt when the request expires, in ms
 * @returns `used` when the request already has a result; `gone` when the account was deleted
 */
export async function recordAgeCheck(
  db: Database,
  input: { request: string; userId: string; isAdult: boolean; expiresAt: number; now: number },
): Promise<'taken' | 'used' | 'gone'> {
  // Prefixed, because the table also stores tokens of other issuers.
  const hash = await computeHash(`age-check ${input.request}`);
  const answered = db.select({ hash: usedTokens.hash }).from(usedTokens).where(eq(usedTokens.hash, hash));
  // One batch, the account first: the second of two concurrent results finds the request used.
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
