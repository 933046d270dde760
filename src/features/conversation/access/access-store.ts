import { eq, getTableColumns, sql } from 'drizzle-orm';
import { SESSION } from '../../account/limits.ts';
import { type Database, prepareOnce } from '../../../db/open.ts';
import { characters, conversations, sessions, users } from '../../../db/schema/core.ts';
import { buildLastSeenStatements } from '../../account/session/last-seen-statements.ts';
import { toSessionUser, type UserPolicy } from '../../account/session/session-user.ts';
import { type Access, type AccessRefusal, buildAccess } from './access.ts';
import {
  CONVERSATION_CHARACTER_COLUMNS,
  toConversationCharacter,
} from '../character/conversation-character-store.ts';

/** A turn waits for this query, so it reads no other columns of an account. */
function getUserColumns() {
  const { id, username, email, avatarKey, nickname, plan, planUntil, ...more } = getTableColumns(users);
  const { isAnonymous, isSystem, onboardingCompleted, spicyMode, ageConfirmed, ageCheckedAt } = more;
  const { language, personalSuggestions, suspendedAt } = more;
  return {
    ...{ id, username, email, avatarKey, nickname, plan, planUntil, isAnonymous, isSystem },
    ...{ onboardingCompleted, spicyMode, ageConfirmed, ageCheckedAt, language },
    ...{ personalSuggestions, suspendedAt },
  };
}

const prepareAccessQuery = prepareOnce((db) =>
  db
    .select({
      publicId: sessions.publicId,
      expiresAt: sessions.expiresAt,
      lastSeenAt: sessions.lastSeenAt,
      user: getUserColumns(),
      character: CONVERSATION_CHARACTER_COLUMNS,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(conversations, eq(conversations.id, sql.placeholder('conversationId')))
    .leftJoin(characters, eq(characters.id, conversations.characterId))
    .where(eq(sessions.id, sql.placeholder('sessionId')))
    .prepare(),
);

/**
 * Reads in one query whether a session is valid and what its user may write in a conversation. Whether the conversation is
 * theirs is for the conversation to say.
 * @param now in ms since 1970
 * @returns also when the session was last seen
 */
export async function readAccess(
  db: Database,
  { sessionId, conversationId }: { sessionId: string; conversationId: string },
  { now, ...policy }: UserPolicy & { now: number },
): Promise<{ ok: true; access: Access; lastSeenAt: number } | AccessRefusal> {
  const row = await prepareAccessQuery(db).get({ sessionId, conversationId });
  if (row === undefined || row.expiresAt * 1000 <= now || row.user.isSystem)
    return { ok: false, code: 'unauthenticated' };
  const user = toSessionUser(row.user, policy, now);
  if (user.suspended_at !== undefined && user.role !== 'admin')
    return { ok: false, code: 'account_suspended' };
  const character = row.character === null ? null : toConversationCharacter(row.character);
  const access = buildAccess({ sessionId, sessionPublicId: row.publicId }, user, character);
  return { ok: true, access, lastSeenAt: row.lastSeenAt };
}

/**
 * Records that a session and its user were just seen, at most once an hour. The cookie is renewed by other calls.
 * @param now in ms since 1970, like `lastSeenAt`
 */
export async function recordUse(
  db: Database,
  { access, lastSeenAt }: { access: Access; lastSeenAt: number },
  now: number,
): Promise<void> {
  if (lastSeenAt > now - SESSION.lastSeenIntervalMs) return;
  const { sessionId, userId } = access;
  await db.batch(buildLastSeenStatements(db, { sessionId, userId, shouldRenew: false, now }));
}
