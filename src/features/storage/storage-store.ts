import { eq, inArray, lte, sql } from 'drizzle-orm';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { storageReservations, storageTotals } from '../../db/schema/storage.ts';
import { STORAGE } from './limits.ts';
import type { StorageTotals } from './storage.ts';
import {
  hasConversationRoom,
  hasStorageRoom,
  releaseStorageStatement,
  type StorageClaim,
} from './storage-statements.ts';

const NOTHING_STORED: StorageTotals = {
  conversations: 0,
  conversationBytes: 0,
  trashBytes: 0,
  searchBytes: 0,
  pictureBytes: 0,
  characterBytes: 0,
};

export async function readStorageTotals(db: Database, ownerId: string): Promise<StorageTotals> {
  const row = await db.select().from(storageTotals).where(eq(storageTotals.ownerId, ownerId)).get();
  return row ?? NOTHING_STORED;
}

/** A reservation of room before the work that fills it. */
export interface StorageReservation extends StorageClaim {
  id: string;
  /** The most conversations that the user may have, if this makes one; null for any number, absent if it makes none. */
  maxConversations?: number | null;
  now: number;
}

/**
 * Reserves room. One statement checks and reserves, so concurrent requests cannot exceed a limit together.
 * @returns false when there is no room
 */
export async function reserveStorage(
  db: Database,
  { id, ownerId, bytes, maxBytes, maxConversations, now }: StorageReservation,
): Promise<boolean> {
  const row = {
    id,
    ownerId,
    bytes,
    conversations: maxConversations === undefined ? 0 : 1,
    expiresAt: now + STORAGE.reservationMs,
  };
  const room = sql`${hasStorageRoom({ ownerId, bytes, maxBytes }, now)} and ${hasConversationRoom(ownerId, maxConversations ?? null, now)}`;
  const added = await insertWhere(db, storageReservations, row, room).returning({
    id: storageReservations.id,
  });
  return added.length > 0;
}

export async function releaseStorage(db: Database, id: string): Promise<void> {
  await releaseStorageStatement(db, id);
}

/** Reservations removed per run of the cron. */
const MAX_LAPSED_PER_RUN = 1000;

/** Removes reservations whose work died; they have not counted since they lapsed. Run by cron. */
export async function removeLapsedReservations(db: Database, now: number): Promise<void> {
  const lapsed = db
    .select({ id: storageReservations.id })
    .from(storageReservations)
    .where(lte(storageReservations.expiresAt, now))
    .limit(MAX_LAPSED_PER_RUN);
  await db.delete(storageReservations).where(inArray(storageReservations.id, lapsed));
}
