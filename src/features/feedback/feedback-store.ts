import { and, count, eq, gt } from 'drizzle-orm';
import { FEEDBACK } from './limits.ts';
import { type Language } from '../../config/languages.ts';
import type { Database } from '../../db/open.ts';
import { feedback } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';

const HOUR_MS = 3_600_000;

/**
 * Saves feedback to the operator.
 * @param input `userId` is null without a session
 * @returns its id; null when this user has reached the hourly limit
 */
export async function saveFeedback(
  db: Database,
  input: { userId: string | null; message: string; email: string | null; language: Language; now: number },
): Promise<string | null> {
  const { now, ...row } = input;
  if (row.userId !== null) {
    const recent = await db
      .select({ told: count() })
      .from(feedback)
      .where(and(eq(feedback.userId, row.userId), gt(feedback.createdAt, now - HOUR_MS)))
      .get();
    if ((recent?.told ?? 0) >= FEEDBACK.maxPerHour) return null;
  }
  const id = createId(now);
  await db.insert(feedback).values({ id, ...row, createdAt: now });
  return id;
}
