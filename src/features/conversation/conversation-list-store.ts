import { and, desc, eq, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { CHAT_LIST, MAX_EXPIRED_PER_RUN } from './limits.ts';
import { TRASH } from '../character/limits.ts';
import { characterDays } from '../../db/schema/character.ts';
import { buildCursorCondition, type ListCursor, buildPage, decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, conversations } from '../../db/schema/core.ts';
import { presentConversationCharacter } from '../character/portrait.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type { ChatList, ChatRow, ConversationList, TrashedChats } from './contract.ts';

/** The list rows of conversations in D1: the source of chat lists and of conversation ownership. */

const DAY_MS = 86_400_000;

export interface ListRow {
  id: string;
  ownerId: string;
  characterId: string;
  /** As in the conversation's snapshot of its character. */
  characterName: string;
  avatarUrl: string;
  title: string | null;
  createdAt: number;
  lastMessageAt: number;
  messageCount: number;
  /** Number of user messages that were answered in this conversation. */
  turns: number;
  /** Keyed hash of the network that the conversation was created from; null when unknown. */
  network: string | null;
}

/** The row of a new conversation. */
export type NewListRow = Omit<ListRow, 'turns'>;

/** The columns that change during a conversation. */
export interface ListRowChange extends Omit<
  ListRow,
  'ownerId' | 'createdAt' | 'network' | 'characterName' | 'avatarUrl'
> {
  /** The character's name and picture; absent when they were written before. */
  character?: Pick<ListRow, 'characterName' | 'avatarUrl'>;
  /** When the conversation was moved to the trash; null when it is not there. */
  deletedAt: number | null;
}

/** Adds a list row; an existing row stays unchanged. */
export async function insertListRow(db: Database, row: NewListRow): Promise<void> {
  await db.insert(conversations).values(row).onConflictDoNothing({ target: conversations.id });
}

/**
 * Updates a list row. It never inserts one, so that a deleted conversation stays deleted.
 * @param countChat adds one to the character's chat count, in the same batch; once per conversation, when the user has
 *   written a message
 */
export async function updateListRow(db: Database, row: ListRowChange, countChat: boolean): Promise<void> {
  const update = db
    .update(conversations)
    .set({
      // The picture has an index, which naming the column would write again.
      ...row.character,
      title: row.title,
      lastMessageAt: row.lastMessageAt,
      messageCount: row.messageCount,
      turns: row.turns,
      deletedAt: row.deletedAt,
    })
    .where(eq(conversations.id, row.id));
  await db.batch([update, ...(countChat ? buildChatCountStatements(db, row) : [])]);
}

/** The statements that count a chat for its character. */
function buildChatCountStatements(db: Database, row: ListRowChange) {
  return [
    db
      .update(characters)
      .set({ chatCount: sql`${characters.chatCount} + 1` })
      .where(eq(characters.id, row.characterId)),
    // Select from the character, so that nothing is counted when it was deleted.
    db
      .insert(characterDays)
      .select(
        db
          .select({
            day: sql<number>`${Math.floor(row.lastMessageAt / DAY_MS)}`.as('day'),
            characterId: characters.id,
            chats: sql<number>`1`.as('chats'),
            isPending: sql<boolean>`1`.as('is_pending'),
          })
          .from(characters)
          .where(eq(characters.id, row.characterId)),
      )
      .onConflictDoUpdate({
        target: [characterDays.day, characterDays.characterId],
        set: { chats: sql`${characterDays.chats} + 1`, isPending: true },
      }),
  ] as const;
}

/** Returns the owner of a conversation, or null when the id is unknown. */
export async function findConversationOwner(db: Database, id: string): Promise<string | null> {
  const row = await db
    .select({ ownerId: conversations.ownerId })
    .from(conversations)
    .where(eq(conversations.id, id))
    .get();
  return row?.ownerId ?? null;
}

/** Whether the list row has this last message time, which proves that the batch with it was written. */
export async function isListRowCurrent(db: Database, id: string, lastMessageAt: number): Promise<boolean> {
  const row = await db
    .select({ at: conversations.lastMessageAt })
    .from(conversations)
    .where(eq(conversations.id, id))
    .get();
  return row?.at === lastMessageAt;
}

export async function deleteListRow(db: Database, id: string): Promise<void> {
  await db.delete(conversations).where(eq(conversations.id, id));
}

/** Moves a conversation's row into the trash or out of it. @returns false when it was not in the other state */
export async function updateTrashState(
  db: Database,
  input: { id: string; ownerId: string; deletedAt: number | null },
): Promise<boolean> {
  const { deletedAt } = conversations;
  const moved = await db
    .update(conversations)
    .set({ deletedAt: input.deletedAt })
    .where(
      and(
        eq(conversations.id, input.id),
        eq(conversations.ownerId, input.ownerId),
        input.deletedAt === null ? isNotNull(deletedAt) : isNull(deletedAt),
      ),
    )
    .returning({ id: conversations.id });
  return moved.length > 0;
}

type ChatTime = typeof conversations.deletedAt | typeof conversations.lastMessageAt;

/** Lists a user's chats with their characters, newest first by one of two times; `at` is that time in milliseconds. */
async function selectChats(
  db: Database,
  input: {
    ownerId: string;
    which: SQL;
    by: ChatTime;
    limit: number;
    /** Whether the user is an adult with spicy mode on. */
    spicy: boolean;
    /** The last chat of the page before; absent for the newest page. */
    after?: ListCursor | null;
  },
): Promise<{ chat: ChatRow; at: number }[]> {
  // The person's chats are sorted, because no index has their times; only those of the page are joined.
  const page = db
    .select({
      id: conversations.id,
      title: conversations.title,
      characterId: conversations.characterId,
      storyName: sql<string | null>`${conversations.characterName}`.as('story_name'),
      storyAvatar: sql<string | null>`${conversations.avatarUrl}`.as('story_avatar'),
      messageCount: conversations.messageCount,
      at: sql<number | null>`${input.by}`.as('at'),
    })
    .from(conversations)
    .where(
      and(
        eq(conversations.ownerId, input.ownerId),
        input.which,
        buildCursorCondition(input.after ?? null, input.by, conversations.id),
      ),
    )
    .orderBy(desc(input.by), desc(conversations.id))
    .limit(input.limit)
    .as('page');
  const rows = await db
    .select({
      id: page.id,
      title: page.title,
      characterId: page.characterId,
      storyName: page.storyName,
      storyAvatar: page.storyAvatar,
      name: characters.name,
      avatarKey: characters.avatarKey,
      nsfwAllowed: characters.nsfwAllowed,
      moderation: characters.moderation,
      creatorId: characters.creatorId,
      messageCount: page.messageCount,
      at: page.at,
    })
    .from(page)
    .innerJoin(characters, eq(characters.id, page.characterId))
    .orderBy(desc(page.at), desc(page.id));
  return rows.map((row) => {
    const { name, avatarUrl } = presentConversationCharacter(row, {
      userId: input.ownerId,
      spicy: input.spicy,
    });
    return {
      chat: {
        id: row.id,
        title: row.title && sanitizeText(row.title),
        character_id: row.characterId,
        character_name: name,
        avatar_url: avatarUrl,
        message_count: row.messageCount,
      },
      at: row.at ?? 0,
    };
  });
}

/** Lists the user's conversations in the trash, newest deletion first. */
export async function listTrashed(
  db: Database,
  input: { ownerId: string; spicy?: boolean; cursor: string | undefined; limit: number },
): Promise<TrashedChats> {
  const { deletedAt } = conversations;
  const rows = await selectChats(db, {
    ownerId: input.ownerId,
    which: isNotNull(deletedAt),
    by: deletedAt,
    limit: input.limit + 1,
    spicy: input.spicy ?? false,
    after: decodeCursor(input.cursor),
  });
  return buildPage(rows, input.limit, {
    place: ({ chat: { id }, at }) => ({ value: at, id }),
    item: ({ chat, at }) => ({
      ...chat,
      deleted_at: new Date(at).toISOString(),
      expires_at: new Date(at + TRASH.retentionMs).toISOString(),
    }),
  });
}

/** Lists conversations whose retention in the trash has expired, oldest first, one batch at a time. */
export async function listExpiredConversations(
  db: Database,
  now: number,
): Promise<{ id: string; ownerId: string }[]> {
  return db
    .select({ id: conversations.id, ownerId: conversations.ownerId })
    .from(conversations)
    .where(and(isNotNull(conversations.deletedAt), lte(conversations.deletedAt, now - TRASH.retentionMs)))
    .orderBy(conversations.deletedAt)
    .limit(MAX_EXPIRED_PER_RUN);
}

/**
 * Lists the user's newest conversations, as many as the drawer shows.
 * @param spicy whether the user is an adult with spicy mode on
 */
export async function listChats(db: Database, ownerId: string, spicy = false): Promise<ChatList> {
  const { deletedAt, lastMessageAt } = conversations;
  const rows = await selectChats(db, {
    ownerId,
    which: isNull(deletedAt),
    by: lastMessageAt,
    limit: CHAT_LIST.maxItems,
    spicy,
  });
  return { chats: rows.map(({ chat, at }) => ({ ...chat, last_message_time: new Date(at).toISOString() })) };
}

/** Lists the user's conversations with one character, newest first. */
export async function listConversationsWith(
  db: Database,
  input: { ownerId: string; characterId: string; cursor: string | undefined; limit: number },
): Promise<ConversationList> {
  const rows = await db
    .select()
    .from(conversations)
    .where(
      and(
        eq(conversations.ownerId, input.ownerId),
        eq(conversations.characterId, input.characterId),
        isNull(conversations.deletedAt),
        buildCursorCondition(decodeCursor(input.cursor), conversations.lastMessageAt, conversations.id),
      ),
    )
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))
    .limit(input.limit + 1);
  return buildPage(rows, input.limit, {
    place: ({ id, lastMessageAt }) => ({ value: lastMessageAt, id }),
    item: (row) => ({
      id: row.id,
      title: row.title,
      created_at: new Date(row.createdAt).toISOString(),
      last_message_time: new Date(row.lastMessageAt).toISOString(),
      message_count: row.messageCount,
    }),
  });
}
