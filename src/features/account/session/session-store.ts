import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { SESSION } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { sessions } from '../../../db/schema/core.ts';
import { buildLastSeenStatements } from './last-seen-statements.ts';

/** A session as its owner sees it. */
interface ListedSession {
  publicId: string;
  current: boolean;
  createdAt: number;
  lastSeenAt: number;
  userAgent: string;
}

/**
 * Updates when a session and its user were last seen, and extends the session if it should be renewed. Of concurrent
 * calls, the first writes.
 */
export async function updateLastSeen(
  db: Database,
  input: { sessionId: string; userId: string; shouldRenew: boolean; now: number },
): Promise<void> {
  await db.batch(buildLastSeenStatements(db, input));
}

/** Returns a user's valid sessions: the current one first, then by last use. */
export async function listSessions(
  db: Database,
  input: { userId: string; currentId: string; now: number },
): Promise<ListedSession[]> {
  const current = sql<boolean>`${sessions.id} = ${input.currentId}`.mapWith(Boolean);
  return db
    .select({
      publicId: sessions.publicId,
      current,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, input.userId), sql`${sessions.expiresAt} * 1000 > ${input.now}`))
    .orderBy(desc(current), desc(sessions.lastSeenAt), desc(sessions.publicId))
    .limit(SESSION.maxListed);
}

/** Returns the public ids of a user's most recently used sessions. */
export async function listSessionIds(
  db: Database,
  { userId, limit }: { userId: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ publicId: sessions.publicId })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(limit);
  return rows.map(({ publicId }) => publicId);
}

/**
 * Ends one of the user's own sessions.
 * @returns its secret id; null when the user has no such session
 */
export async function endOwnSession(
  db: Database,
  input: { userId: string; publicId: string },
): Promise<string | null> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, input.userId), eq(sessions.publicId, input.publicId)))
    .returning({ id: sessions.id })
    .get();
  return ended?.id ?? null;
}

/**
 * Ends all sessions of a user except the current one.
 * @returns the public ids of the ended sessions
 */
export async function endOtherSessions(
  db: Database,
  input: { userId: string; currentSessionId: string },
): Promise<string[]> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, input.userId), ne(sessions.id, input.currentSessionId)))
    .returning({ publicId: sessions.publicId });
  return ended.map(({ publicId }) => publicId);
}
