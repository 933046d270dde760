import type { Database } from '../../db/open.ts';
import {
  deleteConversationRow,
  listUnbegunConversations,
} from '../../features/conversation/conversation-rows-store.ts';
import { describeUse, getStorageLimit, type StorageOwner } from '../../features/storage/storage.ts';
import { STORAGE } from '../../features/storage/limits.ts';
import {
  readStorageTotals,
  reserveStorage,
  type StorageReservation,
} from '../../features/storage/storage-store.ts';
import { refuse, type Refused, type ServiceContext } from '../context.ts';

export type StorageRefusal = Refused<'storage_full' | 'conversation_limit'>;

/** The refusal of something that a user has no room for, with what takes the room. */
export async function createStorageRefusal(
  db: Database,
  owner: StorageOwner,
): Promise<Refused<'storage_full'>> {
  const use = describeUse(await readStorageTotals(db, owner.id), getStorageLimit(owner));
  return refuse('storage_full', { ...use });
}

/** Refuses an upload, before its body is read, of a user who already stores as much as they may. */
export async function refuseUploadAboveLimit(
  db: Database,
  owner: StorageOwner,
): Promise<Refused<'storage_full'> | null> {
  const limit = getStorageLimit(owner);
  const use = describeUse(await readStorageTotals(db, owner.id), limit);
  return use.used_bytes < limit.bytes ? null : refuse('storage_full', { ...use });
}

/** Reserves room for an upload that waits in R2. @returns the refusal when there is none */
export async function reserveUpload(
  db: Database,
  owner: StorageOwner,
  upload: Pick<StorageReservation, 'id' | 'bytes' | 'now'>,
): Promise<Refused<'storage_full'> | null> {
  const maxBytes = getStorageLimit(owner).bytes * STORAGE.maxOverrun;
  const isReserved = await reserveStorage(db, { ...upload, ownerId: owner.id, maxBytes });
  return isReserved ? null : createStorageRefusal(db, owner);
}

/** Conversations without a message of the user that make room for another one; no list shows them. */
const MAX_RECLAIMED = 10;

/** Erases a guest's oldest conversations in which they have not written. @returns how many */
async function reclaimUnbegun(
  { db, env }: Pick<ServiceContext, 'db' | 'env'>,
  ownerId: string,
): Promise<number> {
  const ids = await listUnbegunConversations(db, { ownerId, limit: STORAGE.guestConversations });
  // The newest one may be open in a tab.
  const oldest = ids.slice(1).slice(-MAX_RECLAIMED);
  const outcomes = await Promise.all(
    oldest.map(async (id) => {
      const erased = await env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id)).erase(ownerId);
      if (!erased.ok && erased.code !== 'not_found') return false;
      await deleteConversationRow(db, id);
      return true;
    }),
  );
  return outcomes.filter(Boolean).length;
}

/**
 * Reserves room for a new conversation. A guest's conversations without a message make room for it.
 * @returns null once it is reserved; `conversation_limit` or `storage_full` when there is no room
 */
export async function reserveConversation(
  context: Pick<ServiceContext, 'db' | 'env'>,
  owner: StorageOwner,
  asked: Pick<StorageReservation, 'id' | 'bytes' | 'maxBytes' | 'now'>,
): Promise<StorageRefusal | null> {
  const { db } = context;
  const limit = getStorageLimit(owner);
  const reservation = { ...asked, ownerId: owner.id, maxConversations: limit.conversations };
  if (await reserveStorage(db, reservation)) return null;
  if (
    owner.is_anonymous &&
    (await reclaimUnbegun(context, owner.id)) > 0 &&
    (await reserveStorage(db, reservation))
  )
    return null;
  const use = describeUse(await readStorageTotals(db, owner.id), limit);
  const hasBytes = asked.maxBytes === null || use.used_bytes + asked.bytes <= asked.maxBytes;
  return hasBytes
    ? refuse('conversation_limit', { limit: limit.conversations })
    : refuse('storage_full', { ...use });
}
