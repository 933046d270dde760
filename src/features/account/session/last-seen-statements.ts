import { and, eq, lte } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { sessions, users } from '../../../db/schema/core.ts';
import { SESSION } from '../limits.ts';

/**
 * The statements that record when a session and its user were last seen, at most once an hour, and extend the session if
 * it should be renewed. Of concurrent calls, the first writes.
 * @param input.now in ms since 1970
 */
export function buildLastSeenStatements(
  db: Database,
  input: { sessionId: string; userId: string; shouldRenew: boolean; now: number },
) {
  const { sessionId, userId, shouldRenew, now } = input;
  const staleBefore = now - SESSION.lastSeenIntervalMs;
  const expiresAt = Math.floor((now + SESSION.lifetimeMs) / 1000);
  return [
    db
      .update(sessions)
      .set({ lastSeenAt: now, ...(shouldRenew ? { expiresAt } : {}) })
      .where(
        and(eq(sessions.id, sessionId), shouldRenew ? undefined : lte(sessions.lastSeenAt, staleBefore)),
      ),
    db
      .update(users)
      .set({ lastSeenAt: now })
      .where(and(eq(users.id, userId), lte(users.lastSeenAt, staleBefore))),
  ] as const;
}
