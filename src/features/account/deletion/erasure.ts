import { ERASURE } from '../limits.ts';
import { getMinIdAt } from '../../../lib/ids.ts';
import { describeError } from '../../../lib/redact.ts';
import type { Erasure } from './erasure-queue-store.ts';

/** Stores outside the database. Each call is safe to repeat, and each may throw. */
export interface ErasurePorts {
  /**
   * Erases a conversation of a deleted user.
   * @returns false when it cannot be erased now
   */
  eraseConversation(id: string): Promise<boolean>;
  /** Makes another user's conversation remove what it stored about a character. */
  forgetCharacter(conversationId: string, characterId: string): Promise<void>;
  /** Returns ids of conversations with a character in ascending order, after a given id. */
  listConversationsWith(characterId: string, after: string, limit: number): Promise<string[]>;
  erasePictures(keys: string[]): Promise<void>;
  eraseWallet(userId: string): Promise<void>;
  eraseSearch(userId: string): Promise<void>;
  /** Logs a failure, without naming the user. */
  log(message: string): void;
}

/** The part of an erasure that is not done yet. */
export type RemainingErasure = Pick<Erasure, 'conversationIds' | 'pictureKeys'> & {
  /** When to continue, in ms; null after a failure, whose retry delay is already set. */
  retryAt: number | null;
};

/** The most keys that R2 deletes in one call. */
const MAX_PICTURES_PER_CALL = 1000;

/**
 * Runs `act` for each id, a few at a time.
 * @returns the ids for which it failed
 */
async function collectFailures(
  ids: readonly string[],
  tell: ErasurePorts['log'],
  act: (id: string) => Promise<boolean>,
): Promise<string[]> {
  const left: string[] = [];
  for (let start = 0; start < ids.length; start += ERASURE.maxConcurrent) {
    const some = ids.slice(start, start + ERASURE.maxConcurrent);
    const done = await Promise.all(
      some.map((id) =>
        act(id).catch((error: unknown) => {
          tell(describeError(error));
          return false;
        }),
      ),
    );
    left.push(...some.filter((_, index) => done[index] !== true));
  }
  return left;
}

/**
 * Continues an erasure.
 * @param budget the most conversations to call; the rest waits
 * @returns the remaining work, and how many conversations were called
 */
export async function processErasure(
  erasure: Erasure,
  ports: ErasurePorts,
  { budget, now }: { budget: number; now: number },
): Promise<{ left: RemainingErasure | null; asked: number }> {
  return erasure.isCharacter
    ? removeCharacterFromConversations(erasure, ports, { budget, now })
    : eraseUserData(erasure, ports, { budget, now });
}

/** Erases a user's data. The wallet comes last: their conversations still settle what they owe from it. */
async function eraseUserData(
  { id, conversationIds, pictureKeys }: Erasure,
  ports: ErasurePorts,
  { budget, now }: { budget: number; now: number },
): Promise<{ left: RemainingErasure | null; asked: number }> {
  const asked = conversationIds.slice(0, budget);
  const waiting = conversationIds.slice(budget);
  const failed = await collectFailures(asked, ports.log, (conversationId) =>
    ports.eraseConversation(conversationId),
  );
  const pictures: string[] = [];
  for (let start = 0; start < pictureKeys.length; start += MAX_PICTURES_PER_CALL) {
    const keys = pictureKeys.slice(start, start + MAX_PICTURES_PER_CALL);
    const kept = await collectFailures(['pictures'], ports.log, async () => {
      await ports.erasePictures(keys);
      return true;
    });
    if (kept.length > 0) pictures.push(...keys);
  }
  // Failed ones go to the end, so that they do not block the others.
  const conversations = [...waiting, ...failed];
  const stopped = failed.length > 0 || pictures.length > 0;
  if (conversations.length > 0)
    return {
      left: { conversationIds: conversations, pictureKeys: pictures, retryAt: stopped ? null : now },
      asked: asked.length,
    };
  const stores = await collectFailures(['wallet', 'search'], ports.log, async (store) => {
    await (store === 'wallet' ? ports.eraseWallet(id) : ports.eraseSearch(id));
    return true;
  });
  const left: RemainingErasure | null =
    stores.length + pictures.length === 0
      ? null
      : { conversationIds: [], pictureKeys: pictures, retryAt: null };
  return { left, asked: asked.length };
}

/** Makes the conversations of other users remove what they stored about a character. */
async function removeCharacterFromConversations(
  { id, conversationIds, startedAt }: Erasure,
  ports: ErasurePorts,
  { budget, now }: { budget: number; now: number },
): Promise<{ left: RemainingErasure | null; asked: number }> {
  const [after = '', ...failedBefore] = conversationIds;
  const next = await ports.listConversationsWith(id, after, budget);
  const asked = [...new Set([...next, ...failedBefore])].slice(0, budget);
  const failed = await collectFailures(asked, ports.log, async (conversationId) => {
    await ports.forgetCharacter(conversationId, id);
    return true;
  });
  const reached = new Set(asked);
  const left = [...failedBefore.filter((one) => !reached.has(one)), ...failed];
  const settled = startedAt + ERASURE.settleDelayMs;
  const reachedEnd = next.length < budget;
  if (reachedEnd && left.length === 0 && now >= settled) return { left: null, asked: asked.length };
  // A conversation gets its id before its row is visible here, so search again from ids shortly before the erasure
  // began.
  const last = next.at(-1) ?? after;
  const inFlightFrom = getMinIdAt(startedAt - ERASURE.settleDelayMs);
  const from = reachedEnd && inFlightFrom < last ? inFlightFrom : last;
  const retryAt = failed.length > 0 ? null : reachedEnd ? Math.max(now, settled) : now;
  return { left: { conversationIds: [from, ...left], pictureKeys: [], retryAt }, asked: asked.length };
}
