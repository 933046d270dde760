import { DrizzleSQLiteAdapter } from '@lucia-auth/adapter-drizzle';
import { eq, getTableColumns } from 'drizzle-orm';
import { type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from 'lucia';
import { SESSION } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { sessions, users } from '../../../db/schema/core.ts';
import { createId } from '../../../lib/ids.ts';
import type { SessionUser } from '../contract.ts';
import { toSessionUser, type UserPolicy } from './session-user.ts';
import { computeHash, toHex } from '../../../lib/hash.ts';
import { computeSessionId } from './session-cookie.ts';

/*
 * Lucia is used in this file only: it is feature-complete and no longer developed, so replacing it must touch nothing
 * else. We add two things: the cookie's token is hashed to get the session id, and session and user are read in one
 * query.
 */

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof createLucia>;
    DatabaseUserAttributes: Omit<typeof users.$inferSelect, 'id'>;
    DatabaseSessionAttributes: Omit<typeof sessions.$inferSelect, 'id' | 'userId' | 'expiresAt'>;
  }
}

class OneQueryAdapter extends DrizzleSQLiteAdapter {
  readonly #db: Database;

  constructor(db: Database) {
    super(db, sessions, users);
    this.#db = db;
  }

  override async getSessionAndUser(
    sessionId: string,
  ): Promise<[DatabaseSession | null, DatabaseUser | null]> {
    const row = await this.#db
      .select({ session: getTableColumns(sessions), user: getTableColumns(users) })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.id, sessionId))
      .get();
    if (row === undefined) return [null, null];
    const { id, userId, expiresAt, ...attributes } = row.session;
    const { id: ownerId, ...userAttributes } = row.user;
    return [
      { id, userId, expiresAt: new Date(expiresAt * 1000), attributes },
      { id: ownerId, attributes: userAttributes },
    ];
  }
}

function createLucia(db: Database) {
  return new Lucia(new OneQueryAdapter(db), {
    sessionExpiresIn: new TimeSpan(SESSION.lifetimeDays, 'd'),
    getSessionAttributes: (attributes) => attributes,
    getUserAttributes: (attributes) => attributes,
  });
}

/** How the user of a session proved who they are when it started. */
export type ProofMethod = (typeof sessions.$inferSelect)['provedBy'];

export interface ValidSession {
  id: string;
  /** Id that may be shown to clients; not secret. */
  publicId: string;
  user: SessionUser;
  provedBy: ProofMethod;
  /** When they proved it, in ms since 1970: a session starts with a login. */
  provedAt: number;
  /** The last use should be recorded, which may happen after the response. */
  shouldUpdateLastSeen: boolean;
  /** The expiry should be extended with that, and the cookie sent again. */
  shouldRenew: boolean;
}

const TOKEN_BYTES = 32;
const MAX_USER_AGENT_CHARS = 200;

/** Starts a session and returns the token for the cookie; only its hash is stored. */
export async function createSession(
  db: Database,
  input: { userId: string; provedBy: ProofMethod; userAgent: string; now: number },
): Promise<string> {
  const token = toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).buffer);
  await createLucia(db).createSession(
    input.userId,
    {
      publicId: createId(input.now),
      createdAt: input.now,
      provedBy: input.provedBy,
      lastSeenAt: input.now,
      userAgent: input.userAgent.slice(0, MAX_USER_AGENT_CHARS),
    },
    { sessionId: await computeHash(token) },
  );
  return token;
}

/** Returns the session and user of a cookie's token, or null when the token is unknown, ended or expired. */
export async function readSession(
  db: Database,
  token: string,
  { now, ...rules }: UserPolicy & { now: number },
): Promise<ValidSession | null> {
  const sessionId = await computeSessionId(token);
  if (sessionId === null) return null;
  const { session, user } = await createLucia(db).validateSession(sessionId);
  if (session === null || user === null || user.isSystem) return null;
  const { id, publicId, fresh, expiresAt, createdAt, provedBy, lastSeenAt } = session;
  // Lucia only extends a session in its second half: a user active in the first half would be logged out two weeks
  // later.
  const slides = fresh || expiresAt.getTime() <= now + SESSION.lifetimeMs - SESSION.renewAfterMs;
  const unseen = slides || lastSeenAt <= now - SESSION.lastSeenIntervalMs;
  return {
    id,
    publicId,
    user: toSessionUser(user, rules, now),
    provedBy,
    provedAt: createdAt,
    shouldUpdateLastSeen: unseen,
    shouldRenew: slides,
  };
}

/** Returns an account as its owner sees it; null when there is none. */
export async function readUser(db: Database, userId: string, rules: UserPolicy): Promise<SessionUser | null> {
  const user = await db.select().from(users).where(eq(users.id, userId)).get();
  return user === undefined ? null : toSessionUser(user, rules, Date.now());
}

/** Ends a session everywhere, with immediate effect. */
export async function endSession(db: Database, sessionId: string): Promise<void> {
  await createLucia(db).invalidateSession(sessionId);
}

/** Removes expired sessions; run by cron. */
export async function removeExpiredSessions(db: Database): Promise<void> {
  await createLucia(db).deleteExpiredSessions();
}
