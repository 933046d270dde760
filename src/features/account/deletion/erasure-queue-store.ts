import { and, asc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { ERASURE } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { characters, conversations, erasures, users } from '../../../db/schema/core.ts';

/** Somebody, or a character of theirs, of whom there is still something to be taken away outside the database. */
export interface Erasure {
  id: string;
  /** Of a person: their own conversations. Of a character: after which it goes on, and those that failed. */
  conversationIds: string[];
  pictureKeys: string[];
  begunAt: number;
  tries: number;
  /** A character that others chat with; otherwise a person. */
  isCharacter: boolean;
}

/** Erasures whose time has come, the longest waiting first. @param only those that are meant; otherwise all */
export async function listDueErasures(
  db: Database,
  { now, limit, only }: { now: number; limit: number; only?: readonly string[] },
): Promise<Erasure[]> {
  const rows = await db
    .select({
      id: erasures.userId,
      conversationIds: erasures.conversationIds,
      pictureKeys: erasures.pictureKeys,
      begunAt: erasures.begunAt,
      tries: erasures.tries,
      characterId: characters.id,
    })
    .from(erasures)
    .leftJoin(characters, eq(characters.id, erasures.userId))
    .where(
      and(lte(erasures.tryAt, now), only === undefined ? undefined : inArray(erasures.userId, [...only])),
    )
    .orderBy(asc(erasures.tryAt))
    .limit(limit);
  return rows.map(({ characterId, ...row }) => ({ ...row, isCharacter: characterId !== null }));
}

/**
 * Takes an erasure to go on with it: of several who would, one may. The next try is set before this one begins, so that
 * one that dies on the way is gone on with.
 */
export async function claimErasure(
  db: Database,
  { id, tries, now }: { id: string; tries: number; now: number },
): Promise<boolean> {
  const pause = ERASURE.retryDelaysMs[Math.min(tries, ERASURE.retryDelaysMs.length - 1)] as number;
  const claimed = await db
    .update(erasures)
    .set({ tries: tries + 1, tryAt: now + pause })
    .where(and(eq(erasures.userId, id), eq(erasures.tries, tries), lte(erasures.tryAt, now)))
    .returning({ id: erasures.userId });
  return claimed.length > 0;
}

/** Writes down what is left. @param tryAt when to go on, where nothing failed; otherwise after the pause that is set */
export async function updateErasure(
  db: Database,
  {
    id,
    conversationIds,
    pictureKeys,
    tryAt,
  }: Pick<Erasure, 'id' | 'conversationIds' | 'pictureKeys'> & { tryAt: number | null },
): Promise<void> {
  await db
    .update(erasures)
    .set({ conversationIds, pictureKeys, ...(tryAt === null ? {} : { tryAt, tries: 0 }) })
    .where(eq(erasures.userId, id));
}

/** Nothing is left. */
export async function removeErasure(db: Database, id: string): Promise<void> {
  await db.delete(erasures).where(eq(erasures.userId, id));
}

/** Some of the conversations with a character, trashed ones included, in the order of their ids. */
export async function listConversationIdsWithCharacter(
  db: Database,
  { characterId, after, limit }: { characterId: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.characterId, characterId), gt(conversations.id, after)))
    .orderBy(asc(conversations.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * The write that has the wallet and the index of a guest erased who joined an account; it belongs into the batch that
 * ends the guest. Not at once: a turn of theirs may still be running.
 * @param goes whether the guest ends in that batch
 */
export function insertGuestErasureStatement(
  db: Database,
  { guestId, goes, now }: { guestId: string; goes: SQL; now: number },
) {
  return db
    .insert(erasures)
    .select(
      db
        .select({
          userId: users.id,
          conversationIds: sql<string[]>`'[]'`.as('conversation_ids'),
          pictureKeys: sql<string[]>`'[]'`.as('picture_keys'),
          begunAt: sql<number>`${now}`.as('begun_at'),
          tryAt: sql<number>`${now + ERASURE.walletRetentionMs}`.as('try_at'),
          tries: sql<number>`0`.as('tries'),
        })
        .from(users)
        .where(and(eq(users.id, guestId), goes)),
    )
    .onConflictDoNothing();
}
