import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import { CHAT_LIST } from '../../config.ts';
import { readCursor, writeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, conversations } from '../../db/schema.ts';
import type { ChatList, ConversationList } from './contract.ts';

/** The list rows of conversations in D1: what drawers and lists show, and who owns which. */

export interface IndexRow {
  id: string;
  ownerId: string;
  characterId: string;
  title: string | null;
  createdAt: number;
  lastMessageAt: number;
  messageCount: number;
}

export async function addToIndex(db: Database, row: IndexRow): Promise<void> {
  await db.insert(conversations).values(row);
}

/**
 * Brings a row up to what its conversation says; never creates one, so that a deleted conversation
 * stays deleted. `countChat`: the conversation was just begun by its person, once.
 */
export async function updateIndex(
  db: Database,
  row: Pick<IndexRow, 'id' | 'title' | 'lastMessageAt' | 'messageCount' | 'characterId'>,
  countChat: boolean,
): Promise<void> {
  const update = db
    .update(conversations)
    .set({ title: row.title, lastMessageAt: row.lastMessageAt, messageCount: row.messageCount })
    .where(eq(conversations.id, row.id));
  if (!countChat) {
    await update;
    return;
  }
  await db.batch([
    update,
    db
      .update(characters)
      .set({ chatCount: sql`${characters.chatCount} + 1` })
      .where(eq(characters.id, row.characterId)),
  ]);
}

/** Who owns a conversation, or null when there is none of that id. */
export async function conversationOwner(db: Database, id: string): Promise<string | null> {
  const row = await db
    .select({ ownerId: conversations.ownerId })
    .from(conversations)
    .where(eq(conversations.id, id))
    .get();
  return row?.ownerId ?? null;
}

export async function removeFromIndex(db: Database, id: string): Promise<void> {
  await db.delete(conversations).where(eq(conversations.id, id));
}

/** One's newest conversations, as many as the drawer shows. */
export async function listChats(db: Database, ownerId: string): Promise<ChatList> {
  const rows = await db
    .select({
      id: conversations.id,
      characterId: conversations.characterId,
      name: characters.name,
      avatarKey: characters.avatarKey,
      lastMessageAt: conversations.lastMessageAt,
      messageCount: conversations.messageCount,
    })
    .from(conversations)
    .innerJoin(characters, eq(characters.id, conversations.characterId))
    .where(eq(conversations.ownerId, ownerId))
    .orderBy(desc(conversations.lastMessageAt))
    .limit(CHAT_LIST.maxItems);
  return {
    chats: rows.map((row) => ({
      id: row.id,
      character_id: row.characterId,
      character_name: row.name,
      avatar_url: `/media/${row.avatarKey}`,
      last_message_time: new Date(row.lastMessageAt).toISOString(),
      message_count: row.messageCount,
    })),
  };
}

/** One's conversations with one character, newest first. */
export async function listConversationsWith(
  db: Database,
  input: { ownerId: string; characterId: string; cursor: string | undefined; limit: number },
): Promise<ConversationList> {
  const after = readCursor(input.cursor);
  const rows = await db
    .select()
    .from(conversations)
    .where(
      and(
        eq(conversations.ownerId, input.ownerId),
        eq(conversations.characterId, input.characterId),
        after === null
          ? undefined
          : or(
              lt(conversations.lastMessageAt, after.value),
              and(eq(conversations.lastMessageAt, after.value), lt(conversations.id, after.id)),
            ),
      ),
    )
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => ({
      id: row.id,
      title: row.title,
      created_at: new Date(row.createdAt).toISOString(),
      last_message_time: new Date(row.lastMessageAt).toISOString(),
      message_count: row.messageCount,
    })),
    next_cursor:
      rows.length > input.limit && last !== undefined
        ? writeCursor({ value: last.lastMessageAt, id: last.id })
        : null,
  };
}
