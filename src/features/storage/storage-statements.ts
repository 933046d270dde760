import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';
import { storageReservations, storageTotals } from '../../db/schema/storage.ts';

/** What a user stores and has reserved, in bytes. @param except a reservation that does not count */
const usedBytes = (ownerId: string, now: number, except = ''): SQL =>
  sql`(coalesce((select conversation_bytes + trash_bytes + search_bytes + picture_bytes + character_bytes
      from ${storageTotals} where owner_id = ${ownerId}), 0)
    + coalesce((select sum(bytes) from ${storageReservations}
      where owner_id = ${ownerId} and expires_at > ${now} and id <> ${except}), 0))`;

const conversationCount = (ownerId: string, now: number): SQL =>
  sql`(coalesce((select conversations from ${storageTotals} where owner_id = ${ownerId}), 0)
    + coalesce((select sum(conversations) from ${storageReservations} where owner_id = ${ownerId} and expires_at > ${now}), 0))`;

/** Room for something that a user is about to store. */
export interface StorageClaim {
  ownerId: string;
  bytes: number;
  /** The most that the user may store with it, in bytes; null for no limit. */
  maxBytes: number | null;
}

/** Condition that what a user stores has room for more. @param reservationId the reservation that was made for it */
export const hasStorageRoom = (
  { ownerId, bytes, maxBytes }: StorageClaim,
  now: number,
  reservationId = '',
): SQL =>
  maxBytes === null ? sql`1` : sql`${usedBytes(ownerId, now, reservationId)} + ${bytes} <= ${maxBytes}`;

/** Condition that a user may have more conversations. @param most null for any number */
export const hasConversationRoom = (ownerId: string, most: number | null, now: number): SQL =>
  most === null ? sql`1` : sql`${conversationCount(ownerId, now)} < ${most}`;

/** Statement that gives the room of a reservation back, or hands it over to the row that the same batch writes. */
export const releaseStorageStatement = (db: Database, id: string) =>
  db.delete(storageReservations).where(eq(storageReservations.id, id));

/** Statement that records the size of a user's search index, unless the user was deleted. */
export const recordSearchBytesStatement = (db: Database, ownerId: string, bytes: number) =>
  db.run(
    sql`insert into ${storageTotals} (owner_id, search_bytes)
      select ${ownerId}, ${bytes} where exists (select 1 from ${users} where id = ${ownerId})
      on conflict (owner_id) do update set search_bytes = excluded.search_bytes`,
  );
