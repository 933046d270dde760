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
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import type { ServiceContext } from './context.ts';

/** What an erasure needs of a deployment. */
export type ErasureEnv = Pick<Env, 'CONVERSATIONS' | 'WALLETS' | 'SEARCHES' | 'MEDIA'>;

function logErasureEvent(event: LogEvent, error: unknown): void {
  log(event, { message: describeError(error) });
}

/** Connects the rules of an erasure to the objects and to the pictures. */
function createErasureDeps(env: ErasureEnv, db: Database): ErasurePorts {
  const conversation = (id: string) => env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
  return {
    eraseConversation: async (id) => conversation(id).eraseForDeletedUser(),
    forgetCharacter: async (id, characterId) => conversation(id).redactCharacter(characterId),
    listConversationsWith: (characterId, after, limit) =>
      listConversationIdsWithCharacter(db, { characterId, after, limit }),
    erasePictures: (keys) => env.MEDIA.delete(keys),
    eraseWallet: async (userId) => env.WALLETS.get(env.WALLETS.idFromName(userId)).erase(),
    eraseSearch: async (userId) => env.SEARCHES.get(env.SEARCHES.idFromName(userId)).erase(),
    log: (message) => logErasureEvent('erasure_waits', message),
  };
}

/**
 * Takes away what is left of people who are gone, some at a time. Harmless to repeat and to run beside itself; what
 * fails is tried again later, and does not stop the others.
 * @param only ids that alone are meant: of people, or of characters
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

/** Each is a parameter of a query, which has room for a hundred. */
const MAX_BATCH_IDS = 50;

/** Goes on with what was just begun, without keeping anybody waiting; cron has what is left. */
export function scheduleErasures(
  { env, db, execution }: ServiceContext,
  erasureIds: readonly string[],
): void {
  if (erasureIds.length === 0) return;
  const only = erasureIds.slice(0, MAX_BATCH_IDS);
  execution.waitUntil(processErasures(env, db, { now: Date.now(), only }));
}

/** Housekeeping: guests who stay away go, characters whose time in the trash is over, and what is left of whoever has gone. */
export async function eraseDueAccounts(env: ErasureEnv, db: Database, now: number): Promise<void> {
  for (const userId of await listIdleGuests(db, { now, limit: GUESTS.maxRemovedPerRun })) {
    try {
      await startErasure(db, { userId, leaving: { why: 'idle' }, now });
    } catch (error) {
      logErasureEvent('guest_stays', error);
    }
  }
  try {
    await purgeTrashedCharacters(db, now);
  } catch (error) {
    logErasureEvent('characters_stay', error);
  }
  await processErasures(env, db, { now });
  await removeOrphanedCharacters(db);
}
