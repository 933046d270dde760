import type { Database } from '../db/open.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { expiredConversations, removeFromIndex } from '../features/conversation/conversation-list-store.ts';

/** Conversations erased at once; each is a call to an object of its own. */
const ERASED_AT_ONCE = 6;

/**
 * Erases conversations whose time in the trash is over, some at a time; what is left waits for the next run. Harmless
 * to repeat: one that cannot be erased now keeps its list row and does not stop the others.
 * @returns how many are gone for good
 */
export async function eraseExpiredConversations(
  env: Pick<Env, 'CONVERSATIONS'>,
  db: Database,
  now: number,
): Promise<number> {
  const eraseOne = async ({ id, ownerId }: { id: string; ownerId: string }): Promise<boolean> => {
    try {
      const conversation = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
      if (!(await conversation.eraseTrashed(ownerId))) return false;
      await removeFromIndex(db, id);
      return true;
    } catch (error) {
      log('clearing_failed', { conversation_id: id, message: describeError(error) });
      return false;
    }
  };
  const expired = await expiredConversations(db, now);
  let gone = 0;
  for (let start = 0; start < expired.length; start += ERASED_AT_ONCE) {
    const outcomes = await Promise.all(expired.slice(start, start + ERASED_AT_ONCE).map(eraseOne));
    gone += outcomes.filter(Boolean).length;
  }
  return gone;
}
