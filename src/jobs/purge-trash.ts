import type { Database } from '../db/open.ts';
import { TRASH } from '../features/character/limits.ts';
import { deleteExpiredPersonas } from '../features/persona/persona-store.ts';
import { listExpiredConversations } from '../features/conversation/conversation-rows-store.ts';
import { eraseTrashedConversations } from '../services/storage/empty-trash.ts';

/** Personas erased per run. */
const MAX_PERSONAS_PER_RUN = 1000;

/** Erases personas whose time in the trash is over; the rest waits for the next run. */
export async function purgeExpiredPersonas(db: Database, now: number): Promise<void> {
  await deleteExpiredPersonas(db, { before: now - TRASH.retentionMs, limit: MAX_PERSONAS_PER_RUN });
}

/**
 * Erases conversations whose time in the trash is over, a batch per run; the rest waits for the next run. Safe to repeat.
 * @returns how many were erased
 */
export async function purgeExpiredConversations(
  env: Pick<Env, 'CONVERSATIONS'>,
  db: Database,
  now: number,
): Promise<number> {
  return eraseTrashedConversations(env, db, await listExpiredConversations(db, now));
}
