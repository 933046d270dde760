import { and, asc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { ERASURE } from '../limits.ts';
import type { Database } from '../../../db/open.ts';
import { characters, conversations, erasures, users } from '../../../db/schema/core.ts';

/** A deleted user or character with data outside the database that has yet to be erased. */
export interface Erasure {
  id: string;
  /**
   * Of a user: their own conversations. Of a character: the id to continue after, then the conversations that failed.
   */
  conversationIds: string[];
  pictureKeys: string[];
  startedAt: number;
  tries: number;
  /** A character that other users chat with; otherwise a user. */
  isCharacter: boolean;
}

/**
 * Returns due erasures, longest waiting first.
 * @param only restricts the result to these ids; all if omitted
 */
export async function listDueErasures(
  db: Database,
  { now, limit, only }: { now: number; limit: number; only?: readonly string[] },
): Promise<Erasure[]> {
  const rows = await db
    .select({
      id: erasures.userId,
      conversationIds: erasures.conversationIds,
      pictureKeys: erasures.pictureKeys,
      startedAt: erasures.startedAt,
      tries: erasures.tries,
      characterId: characters.id,
    })
    .from(erasures)
    .leftJoin(characters, eq(characters.id, erasures.userId))
    .where(
      and(lte(erasures.retryAt, now), only === undefined ? undefined : inArray(erasures.userId, [...only])),
    )
    .orderBy(asc(erasures.retryAt))
    .limit(limit);
  return rows.map(({ characterId, ...row }) => ({ ...row, isCharacter: characterId !== null }));
}

/**
 * Claims an erasure; of concurrent callers, one succeeds. The next attempt is scheduled before this one begins, so an
 * attempt that crashes is continued later.
 */
export async function claimErasure(
  db: Database,
  { id, tries, now }: { id: string; tries: number; now: number },
): Promise<boolean> {
  const pause = ERASURE.retryDelaysMs[Math.min(tries, ERASURE.retryDelaysMs.length - 1)] as number;
  const claimed = await db
    .update(erasures)
    .set({ tries: tries + 1, retryAt: now + pause })
    .where(and(eq(erasures.userId, id), eq(erasures.tries, tries), lte(erasures.retryAt, now)))
    .returning({ id: erasures.userId });
  return claimed.length > 0;
}

/**
 * Saves the rest of an erasure.
 * @param retryAt when to continue if nothing failed; null keeps the delay that `claimErasure` has set
 */
export async function updateErasure(
  db: Database,
  {
    id,
    conversationIds,
    pictureKeys,
    retryAt,
  }: Pick<Erasure, 'id' | 'conversationIds' | 'pictureKeys'> & { retryAt: number | null },
): Promise<void> {
  await db
    .update(erasures)
    .set({ conversationIds, pictureKeys, ...(retryAt === null ? {} : { retryAt, tries: 0 }) })
    .where(eq(erasures.userId, id));
}

export async function removeErasure(db: Database, id: string): Promise<void> {
  await db.delete(erasures).where(eq(erasures.userId, id));
}

/** Returns ids of conversations with a character, in ascending order, including trashed ones. */
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
 * Statement that schedules erasing the wallet and search index of a guest who was merged into an account. It belongs in
 * the batch that deletes the guest. The erasure is delayed, because a turn of the guest may still be running.
 * @param goes whether that batch deletes the guest
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
          startedAt: sql<number>`${now}`.as('started_at'),
          retryAt: sql<number>`${now + ERASURE.walletRetentionMs}`.as('retry_at'),
          tries: sql<number>`0`.as('tries'),
        })
        .from(users)
        .where(and(eq(users.id, guestId), goes)),
    )
    .onConflictDoNothing();
}
