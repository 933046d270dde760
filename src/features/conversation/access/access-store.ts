import { eq, getTableColumns } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { characters, conversations, sessions, users } from '../../../db/schema/core.ts';
import { toSessionUser, type UserPolicy } from '../../account/session/session-user.ts';
import { type Access, type AccessRefusal, buildAccess } from './access.ts';
import {
  CONVERSATION_CHARACTER_COLUMNS,
  toConversationCharacter,
} from '../character/conversation-character-store.ts';

/**
 * Reads in one query whether a session is valid and what its user may write in a conversation. Whether the conversation is
 * theirs is for the conversation to say.
 * @param now in ms since 1970
 */
export async function readAccess(
  db: Database,
  { sessionId, conversationId }: { sessionId: string; conversationId: string },
  { now, ...policy }: UserPolicy & { now: number },
): Promise<{ ok: true; access: Access } | AccessRefusal> {
  const row = await db
    .select({
      expiresAt: sessions.expiresAt,
      user: getTableColumns(users),
      character: CONVERSATION_CHARACTER_COLUMNS,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(conversations, eq(conversations.id, conversationId))
    .leftJoin(characters, eq(characters.id, conversations.characterId))
    .where(eq(sessions.id, sessionId))
    .get();
  if (row === undefined || row.expiresAt * 1000 <= now || row.user.isSystem)
    return { ok: false, code: 'unauthenticated' };
  const user = toSessionUser(row.user, policy, now);
  if (user.suspended_at !== undefined && user.role !== 'admin')
    return { ok: false, code: 'account_suspended' };
  const character = row.character === null ? null : toConversationCharacter(row.character);
  return { ok: true, access: buildAccess(sessionId, user, character) };
}
