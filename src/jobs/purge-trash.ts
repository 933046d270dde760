import type { Database } from '../db/open.ts';
import { TRASH } from '../features/character/limits.ts';
import { deleteExpiredPersonas } from '../features/persona/persona-store.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import {
  deleteConversationRow,
  listExpiredConversations,
} from '../features/conversation/conversation-rows-store.ts';

/** Personas erased per run. */
const MAX_PERSONAS_PER_RUN = 1000;

/** Erases personas whose time in the trash is over; the rest waits for the next run. */
export async function purgeExpiredPersonas(db: Database, now: number): Promise<void> {
  await deleteExpiredPersonas(db, { before: now - TRASH.retentionMs, limit: MAX_PERSONAS_PER_RUN });
}

/** Conversations erased in parallel. Each is one call to its Durable Object. */
const ERASE_BATCH_SIZE = 6;

/**
 * Erases conversations whose time in the trash is over, a batch per run; the rest waits for the next run. Safe to repeat:
 * one that cannot be erased keeps its row and does not stop the others.
 * @returns how many were erased
 */
export async function purgeExpiredConversations(
  env: Pick<Env, 'CONVERSATIONS'>,
  db: Database,
  now: number,
): Promise<number> {
  const eraseOne = async ({ id, ownerId }: { id: string; ownerId: string }): Promise<boolean> => {
    try {
      const conversation = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
      if (!(await conversation.eraseExpired(ownerId))) return false;
      await deleteConversationRow(db, id);
      return true;
    } catch (error) {
      log('clearing_failed', { conversation_id: id, message: describeError(error) });
      return false;
    }
  };
  const expired = await listExpiredConversations(db, now);
  let erasedCount = 0;
  for (let start = 0; start < expired.length; start += ERASE_BATCH_SIZE) {
    const outcomes = await Promise.all(expired.slice(start, start + ERASE_BATCH_SIZE).map(eraseOne));
    erasedCount += outcomes.filter(Boolean).length;
  }
  return erasedCount;
}
