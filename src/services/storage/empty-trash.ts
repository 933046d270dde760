import { eraseCharacterTrash } from '../../features/account/deletion/character-erasure-store.ts';
import type { Database } from '../../db/open.ts';
import { ERASURE } from '../../features/account/limits.ts';
import { removeUnclaimedCards } from '../../features/cards/card-gateway.ts';
import {
  deleteConversationRow,
  listTrashedConversationIds,
} from '../../features/conversation/conversation-rows-store.ts';
import { erasePersonaTrash } from '../../features/persona/persona-store.ts';
import { expireOwnUnusedPictures } from '../../features/picture/picture-store.ts';
import type { EmptiedTrash } from '../../features/storage/contract.ts';
import { MAX_EMPTIED_PER_CALL } from '../../features/storage/limits.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import type { ServiceContext } from '../context.ts';
import { scheduleErasures } from '../erase-accounts.ts';
import { deleteAbandonedPictures } from '../purge-pictures.ts';

/** Removes the originals of cards and the pictures that erased characters and personas leave behind. */
async function removeLeftFiles({ db, env }: ServiceContext, ownerId: string): Promise<void> {
  const now = Date.now();
  try {
    await removeUnclaimedCards(env, db, now);
    await deleteAbandonedPictures(env, db, await expireOwnUnusedPictures(db, { ownerId, now }));
  } catch (error) {
    log('clearing_failed', { message: describeError(error) });
  }
}

/** Conversations erased in parallel. Each is one call to its Durable Object. */
const ERASE_BATCH_SIZE = 6;

/**
 * Erases conversations that are in the trash. One that cannot be erased keeps its row and does not stop the others.
 * @returns how many were erased
 */
export async function eraseTrashedConversations(
  env: Pick<Env, 'CONVERSATIONS'>,
  db: Database,
  trashed: readonly { id: string; ownerId: string }[],
): Promise<number> {
  const eraseOne = async ({ id, ownerId }: { id: string; ownerId: string }): Promise<boolean> => {
    try {
      const conversation = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
      if (!(await conversation.eraseTrashed(ownerId))) return false;
      await deleteConversationRow(db, id);
      return true;
    } catch (error) {
      log('clearing_failed', { conversation_id: id, message: describeError(error) });
      return false;
    }
  };
  let erasedCount = 0;
  for (let start = 0; start < trashed.length; start += ERASE_BATCH_SIZE) {
    const outcomes = await Promise.all(trashed.slice(start, start + ERASE_BATCH_SIZE).map(eraseOne));
    erasedCount += outcomes.filter(Boolean).length;
  }
  return erasedCount;
}

/**
 * Erases what a user has in the trash, a limited number of items per call. Safe to repeat; a conversation that cannot be
 * erased now stays in the trash and does not stop the others.
 */
export async function eraseTrash(context: ServiceContext, ownerId: string): Promise<EmptiedTrash> {
  const { db, env } = context;
  const ids = await listTrashedConversationIds(db, { ownerId, limit: MAX_EMPTIED_PER_CALL + 1 });
  const going = ids.slice(0, MAX_EMPTIED_PER_CALL).map((id) => ({ id, ownerId }));
  const erased = await eraseTrashedConversations(env, db, going);
  const characterIds = await eraseCharacterTrash(db, ownerId, Date.now());
  scheduleErasures(context, characterIds);
  const personas = await erasePersonaTrash(db, ownerId);
  context.execution.waitUntil(removeLeftFiles(context, ownerId));
  const hasMore = ids.length > MAX_EMPTIED_PER_CALL || characterIds.length === ERASURE.maxPerRun;
  return { erased: erased + characterIds.length + personas, has_more: hasMore };
}
