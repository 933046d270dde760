import { ERASURE, GUESTS } from '../features/account/limits.ts';
import type { Database } from '../db/open.ts';
import { type ErasurePorts, processErasure } from '../features/account/deletion/erasure.ts';
import { purgeTrashedCharacters } from '../features/account/deletion/character-erasure-store.ts';
import {
  listConversationIdsWithCharacter,
  listDueErasures,
  updateErasure,
  removeErasure,
  claimErasure,
} from '../features/account/deletion/erasure-queue-store.ts';
import {
  startErasure,
  listIdleGuests,
  removeOrphanedCharacters,
} from '../features/account/deletion/erasure-store.ts';
import { getListPictureKey } from '../features/picture/list-picture.ts';
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import type { ServiceContext } from './context.ts';

/** The bindings that an erasure uses. */
export type ErasureEnv = Pick<Env, 'CONVERSATIONS' | 'WALLETS' | 'SEARCHES' | 'MEDIA'>;

function logErasureEvent(event: LogEvent, error: unknown): void {
  log(event, { message: describeError(error) });
}

/** Connects the pure erasure rules to the Durable Objects and R2. */
function createErasureDeps(env: ErasureEnv, db: Database): ErasurePorts {
  const conversation = (id: string) => env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
  return {
    eraseConversation: async (id) => conversation(id).eraseForDeletedUser(),
    forgetCharacter: async (id, characterId) => conversation(id).redactCharacter(characterId),
    listConversationsWith: (characterId, after, limit) =>
      listConversationIdsWithCharacter(db, { characterId, after, limit }),
    erasePictures: async (keys) => {
      await env.MEDIA.delete(keys);
      await env.MEDIA.delete(keys.map(getListPictureKey));
    },
    eraseWallet: async (userId) => env.WALLETS.get(env.WALLETS.idFromName(userId)).erase(),
    eraseSearch: async (userId) => env.SEARCHES.get(env.SEARCHES.idFromName(userId)).erase(),
    log: (message) => logErasureEvent('erasure_deferred', message),
  };
}

/**
 * Erases the remaining data of deleted users, a batch per run. Safe to repeat and to run concurrently. A failed erasure
 * is retried later and does not stop the others.
 * @param only restricts the run to these ids of users or characters
 */
export async function processErasures(
  env: ErasureEnv,
  db: Database,
  { now, only }: { now: number; only?: readonly string[] },
): Promise<void> {
  const ports = createErasureDeps(env, db);
  let budget: number = ERASURE.maxConversationsPerRun;
  const due = await listDueErasures(db, {
    now,
    limit: ERASURE.maxPerRun,
    ...(only === undefined ? {} : { only }),
  });
  for (const erasure of due) {
    if (budget <= 0) return;
    const { id, tries } = erasure;
    try {
      if (!(await claimErasure(db, { id, tries, now }))) continue;
      const { left, asked } = await processErasure(erasure, ports, { budget, now });
      budget -= asked;
      if (left === null) await removeErasure(db, id);
      else await updateErasure(db, { id, ...left });
    } catch (error) {
      logErasureEvent('erasure_failed', error);
    }
  }
}

/** Each id is a query parameter, and D1 allows 100 per query. */
const MAX_BATCH_IDS = 50;

/** Continues new erasures after the response; cron processes the rest. */
export function scheduleErasures(
  { env, db, execution }: ServiceContext,
  erasureIds: readonly string[],
): void {
  if (erasureIds.length === 0) return;
  const only = erasureIds.slice(0, MAX_BATCH_IDS);
  execution.waitUntil(processErasures(env, db, { now: Date.now(), only }));
}

/**
 * Starts the erasure of idle guests and of characters whose time in the trash is over, and continues all due erasures.
 */
export async function eraseDueAccounts(env: ErasureEnv, db: Database, now: number): Promise<void> {
  for (const userId of await listIdleGuests(db, { now, limit: GUESTS.maxRemovedPerRun })) {
    try {
      await startErasure(db, { userId, leaving: { why: 'idle' }, now });
    } catch (error) {
      logErasureEvent('guest_cleanup_failed', error);
    }
  }
  try {
    await purgeTrashedCharacters(db, now);
  } catch (error) {
    logErasureEvent('character_cleanup_failed', error);
  }
  await processErasures(env, db, { now });
  await removeOrphanedCharacters(db);
}
