import { ERASURE } from '../limits.ts';
import { getMinIdAt } from '../../../lib/ids.ts';
import { describeError } from '../../../lib/redact.ts';
import type { Erasure } from './erasure-queue-store.ts';

/** What lies outside the database, as an erasure reaches it. Each call is harmless to repeat; each may throw. */
export interface ErasurePorts {
  /** Erases a conversation of somebody who is gone. @returns false when it cannot be erased now */
  eraseConversation(id: string): Promise<boolean>;
  /** Has somebody else's conversation let go of what it knows of a character. */
  forgetCharacter(conversationId: string, characterId: string): Promise<void>;
  /** Some conversations with a character, after one of them, in the order of their ids. */
  listConversationsWith(characterId: string, after: string, limit: number): Promise<string[]>;
  erasePictures(keys: string[]): Promise<void>;
  eraseWallet(userId: string): Promise<void>;
  eraseSearch(userId: string): Promise<void>;
  /** Tells the log that something failed: never whose it was. */
  log(message: string): void;
}

/** What is left of an erasure; null when nothing is. */
export type RemainingErasure = Pick<Erasure, 'conversationIds' | 'pictureKeys'> & {
  /** When to go on, in ms; null after a failure, whose pause is set already. */
  tryAt: number | null;
};

/** Keys that R2 takes in one call. */
const MAX_PICTURES_PER_CALL = 1000;

/** Does something with each, a few at once. @returns those with which it did not succeed */
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
 * Goes on with an erasure.
 * @param budget conversations that may be asked; what is left waits
 * @returns what is left, and how many conversations were asked
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

/** Erases what is a person's. Their wallet last: what their conversations still owe is paid from it. */
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
  // What failed comes last, so that it does not stand in the way of the others.
  const conversations = [...waiting, ...failed];
  const stopped = failed.length > 0 || pictures.length > 0;
  if (conversations.length > 0)
    return {
      left: { conversationIds: conversations, pictureKeys: pictures, tryAt: stopped ? null : now },
      asked: asked.length,
    };
  const stores = await collectFailures(['wallet', 'search'], ports.log, async (store) => {
    await (store === 'wallet' ? ports.eraseWallet(id) : ports.eraseSearch(id));
    return true;
  });
  const left: RemainingErasure | null =
    stores.length + pictures.length === 0
      ? null
      : { conversationIds: [], pictureKeys: pictures, tryAt: null };
  return { left, asked: asked.length };
}

/** Has the conversations of others let go of a character. */
async function removeCharacterFromConversations(
  { id, conversationIds, begunAt }: Erasure,
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
  const settled = begunAt + ERASURE.settleDelayMs;
  const reachedEnd = next.length < budget;
  if (reachedEnd && left.length === 0 && now >= settled) return { left: null, asked: asked.length };
  // An id is older than its row in the list: what was on its way there is looked for from further back.
  const last = next.at(-1) ?? after;
  const inFlightFrom = getMinIdAt(begunAt - ERASURE.settleDelayMs);
  const from = reachedEnd && inFlightFrom < last ? inFlightFrom : last;
  const tryAt = failed.length > 0 ? null : reachedEnd ? Math.max(now, settled) : now;
  return { left: { conversationIds: [from, ...left], pictureKeys: [], tryAt }, asked: asked.length };
}
