import { and, desc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { MAX_EXPIRED_PER_RUN } from './limits.ts';
import { TRASH } from '../character/limits.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { hasStorageRoom, releaseStorageStatement } from '../storage/storage-statements.ts';
import { conversations } from '../../db/schema/core.ts';
import { insertCopyStatement, type StoredCopy } from './character/character-copy-store.ts';
import { buildChatCountStatement, computeKeptCount } from './character/chat-count-statements.ts';

/**
 * The rows of conversations in D1: what others ask of them. They say whose a conversation is, and are written when it
 * begins, when it may count for its character, when it moves to the trash or out of it, and when its character's name or
 * picture changes.
 */

/** The row of a new conversation. */
export interface NewConversationRow {
  id: string;
  ownerId: string;
  characterId: string;
  /** As in the conversation's snapshot of its character. */
  characterName: string;
  avatarUrl: string;
  createdAt: number;
  /** Keyed hash of the network that the conversation was created from; null when unknown. */
  network: string | null;
  /** The client's key of an import; null or absent when there is none. */
  importKey?: string | null;
  /** Whether it is in the owner's list; true when absent. */
  isBegun?: boolean;
  /** The room that was reserved for it, and the most bytes that the owner may store with it; absent without a limit. */
  storage?: { reservationId: string; maxBytes: number };
}

/** What a conversation's object adds to its row. */
export interface StoredConversation {
  /** Its size. */
  bytes: number;
  /** Its character's long texts; null when it has none. */
  copy: StoredCopy | null;
}

/** The columns that change during a conversation. */
export interface ConversationRowChange extends Omit<
  NewConversationRow,
  'ownerId' | 'createdAt' | 'network' | 'importKey' | 'storage'
> {
  /** Number of user messages that were answered in this conversation, up to `MAX_COUNTED_TURNS`. */
  turns: number;
  /** When the conversation was moved to the trash; null when it is not there. */
  deletedAt: number | null;
  /** Where D1 has the character's long texts; null when it has none. */
  copyHash: string | null;
  /** Its size. */
  bytes: number;
}

/** `full`: there is no room for it; `other`: the owner has another conversation with the same import key. */
export type RowInsertResult = 'added' | 'full' | 'other';

/**
 * Adds a row with its character's long texts; an existing row stays unchanged. The statement checks that there is room for
 * what was written, because the reservation was an estimate, and takes over the room of the reservation.
 */
export async function insertConversationRow(
  db: Database,
  { storage, ...columns }: NewConversationRow,
  { bytes, copy }: StoredConversation,
  now: number,
): Promise<RowInsertResult> {
  const { id, ownerId } = columns;
  const row = { ...columns, bytes, copyHash: copy?.hash ?? null };
  const insert =
    storage === undefined
      ? db.insert(conversations).values(row)
      : insertWhere(
          db,
          conversations,
          row,
          hasStorageRoom({ ownerId, bytes, maxBytes: storage.maxBytes }, now, storage.reservationId),
        );
  const statements = [
    insert.onConflictDoNothing().returning({ id: conversations.id }),
    ...(copy === null ? [] : [insertCopyStatement(db, copy)]),
    ...(storage === undefined ? [] : [releaseStorageStatement(db, storage.reservationId)]),
  ] as unknown as Parameters<Database['batch']>[0];
  const [added] = (await db.batch(statements)) as unknown as [{ id: string }[]];
  if (added.length > 0 || (await findConversationOwner(db, id)) !== null) return 'added';
  const { importKey } = columns;
  if (importKey == null || (await findImportedConversation(db, ownerId, importKey)) === null) return 'full';
  return 'other';
}

/** Returns the id of the owner's conversation that was imported with this key, also from the trash, or null. */
export async function findImportedConversation(
  db: Database,
  ownerId: string,
  importKey: string,
): Promise<string | null> {
  const row = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.ownerId, ownerId), eq(conversations.importKey, importKey)))
    .get();
  return row?.id ?? null;
}

/**
 * Updates a row. It never inserts one, so that a deleted conversation stays deleted.
 * @param completedAt when the reply was completed by which the chat may count for its character, in ms since 1970: once per
 *   conversation, also when this is repeated; null to count nothing
 * @param copy the character's long texts; null when D1 has them
 */
export async function updateConversationRow(
  db: Database,
  { id, ...change }: Pick<ConversationRowChange, 'id' | 'turns'> & Partial<ConversationRowChange>,
  completedAt: number | null,
  copy: StoredCopy | null = null,
): Promise<void> {
  const { deletedAt = null } = change;
  const update = db
    .update(conversations)
    .set(deletedAt === null ? change : { ...change, countedAt: computeKeptCount(deletedAt) })
    .where(eq(conversations.id, id));
  const counts = completedAt === null ? [] : [buildChatCountStatement(db, { id, completedAt })];
  const copies = copy === null ? [] : [insertCopyStatement(db, copy)];
  // The count comes last: a chat that is in the trash does not count.
  await db.batch([...copies, update, ...counts] as unknown as [typeof update]);
}

/** Stores the network that the user comes back from to a conversation in which they have not written. */
export async function updateConversationNetwork(db: Database, id: string, network: string): Promise<void> {
  await db
    .update(conversations)
    .set({ network })
    .where(and(eq(conversations.id, id), sql`${conversations.network} is not ${network}`));
}

/** Lists the user's conversations in which they have not written, all or those with one character, newest first. */
export async function listUnbegunConversations(
  db: Database,
  { ownerId, characterId, limit }: { ownerId: string; characterId?: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        characterId === undefined ? undefined : eq(conversations.characterId, characterId),
        eq(conversations.ownerId, ownerId),
        eq(conversations.isBegun, false),
        isNull(conversations.deletedAt),
      ),
    )
    .orderBy(desc(conversations.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Lists the user's conversations in the trash. */
export async function listTrashedConversationIds(
  db: Database,
  { ownerId, limit }: { ownerId: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.ownerId, ownerId), isNotNull(conversations.deletedAt)))
    .limit(limit);
  return rows.map(({ id }) => id);
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

export async function deleteConversationRow(db: Database, id: string): Promise<void> {
  await db.delete(conversations).where(eq(conversations.id, id));
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
