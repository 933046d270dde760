import { ERASURE, GUESTS } from '../features/account/limits.ts';
import type { Database } from '../db/open.ts';
import { type ErasurePorts, goOn } from '../features/account/deletion/erasure.ts';
import { purgeTrashedCharacters } from '../features/account/deletion/character-erasure-store.ts';
import {
  conversationsWithAny,
  dueErasures,
  keepErasure,
  removeErasure,
  takeErasure,
} from '../features/account/deletion/erasure-queue-store.ts';
import {
  beginErasure,
  idleGuests,
  removeForgottenNames,
} from '../features/account/deletion/erasure-store.ts';
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import type { ServiceContext } from './context.ts';

/** What an erasure needs of a deployment. */
export type ErasureEnv = Pick<Env, 'CONVERSATIONS' | 'WALLETS' | 'SEARCHES' | 'MEDIA'>;

function tell(event: LogEvent, error: unknown): void {
  log(event, { message: describeError(error) });
}

/** Connects the rules of an erasure to the objects and to the pictures. */
function portsOf(env: ErasureEnv, db: Database): ErasurePorts {
  const conversation = (id: string) => env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
  return {
    eraseConversation: async (id) => conversation(id).eraseOfGone(),
    forgetCharacter: async (id, characterId) => conversation(id).forgetCharacter(characterId),
    conversationsWith: (characterId, after, limit) => conversationsWithAny(db, { characterId, after, limit }),
    erasePictures: (keys) => env.MEDIA.delete(keys),
    eraseWallet: async (userId) => env.WALLETS.get(env.WALLETS.idFromName(userId)).erase(),
    eraseSearch: async (userId) => env.SEARCHES.get(env.SEARCHES.idFromName(userId)).erase(),
    tell: (message) => tell('erasure_waits', message),
  };
}

/**
 * Takes away what is left of people who are gone, some at a time. Harmless to repeat and to run beside itself; what
 * fails is tried again later, and does not stop the others.
 * @param only ids that alone are meant: of people, or of characters
 */
export async function continueErasures(
  env: ErasureEnv,
  db: Database,
  { now, only }: { now: number; only?: readonly string[] },
): Promise<void> {
  const ports = portsOf(env, db);
  let budget: number = ERASURE.conversationsPerRun;
  const due = await dueErasures(db, { now, limit: ERASURE.perRun, ...(only === undefined ? {} : { only }) });
  for (const erasure of due) {
    if (budget <= 0) return;
    const { id, tries } = erasure;
    try {
      if (!(await takeErasure(db, { id, tries, now }))) continue;
      const { left, asked } = await goOn(erasure, ports, { budget, now });
      budget -= asked;
      if (left === null) await removeErasure(db, id);
      else await keepErasure(db, { id, ...left });
    } catch (error) {
      tell('erasure_failed', error);
    }
  }
}

/** Each is a parameter of a query, which has room for a hundred. */
const MAX_AT_ONCE = 50;

/** Goes on with what was just begun, without keeping anybody waiting; cron has what is left. */
export function continueErasuresSoon({ env, db, execution }: ServiceContext, begun: readonly string[]): void {
  if (begun.length === 0) return;
  const only = begun.slice(0, MAX_AT_ONCE);
  execution.waitUntil(continueErasures(env, db, { now: Date.now(), only }));
}

/** Housekeeping: guests who stay away go, characters whose time in the trash is over, and what is left of whoever has gone. */
export async function eraseWhoIsGone(env: ErasureEnv, db: Database, now: number): Promise<void> {
  for (const userId of await idleGuests(db, { now, limit: GUESTS.removedPerRun })) {
    try {
      await beginErasure(db, { userId, leaving: { why: 'idle' }, now });
    } catch (error) {
      tell('guest_stays', error);
    }
  }
  try {
    await purgeTrashedCharacters(db, now);
  } catch (error) {
    tell('characters_stay', error);
  }
  await continueErasures(env, db, { now });
  await removeForgottenNames(db);
}
