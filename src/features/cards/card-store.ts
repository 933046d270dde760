import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { CARD } from '../character/limits.ts';
import { cards } from '../../db/schema/character.ts';
import type { Database } from '../../db/open.ts';

/**
 * Creation time of a card that is being deleted. Its row stays until its original is deleted, and no character can be
 * created from it any more. A file that was counted but not read (yet) has a negative time: its upload time with the
 * sign changed.
 */
const EXPIRED_TIME = 0;
const HOUR_MS = 3_600_000;

const hasIdIn = (ids: readonly string[]) =>
  sql`${cards.id} in (select value from json_each(${JSON.stringify(ids)}))`;

export interface ExpiredCard {
  id: string;
  objectKey: string;
}
const expiredColumns = { id: cards.id, objectKey: cards.objectKey };

/**
 * Counts an uploaded file before it is read, because one that is not a card costs just as much. The write itself counts
 * the files of the last hour, so concurrent uploads cannot exceed the limit.
 * @param id the id of the import, if the file is a card
 * @returns null when the file may be read; otherwise when the next upload is allowed, in ms
 */
export async function countImport(
  db: Database,
  { id, ownerId, now }: { id: string; ownerId: string; now: number },
): Promise<number | null> {
  const sinceMs = now - HOUR_MS;
  // Two searches: one with `or` would scan everything that the user ever uploaded.
  const times = sql`(select ${cards.createdAt} as at from ${cards} where ${cards.ownerId} = ${ownerId} and ${cards.createdAt} > ${sinceMs}
    union all select ${cards.createdAt} from ${cards} where ${cards.ownerId} = ${ownerId} and ${cards.createdAt} < ${-sinceMs})`;
  const [counted, first] = await db.batch([
    db
      .insert(cards)
      .select(
        sql`select ${id}, ${ownerId}, null, ${`cards/${id}`}, 1, '{}', ${-now}
          where (select count(*) from ${times}) < ${CARD.maxPerHour}`,
      )
      .returning({ id: cards.id }),
    db.select({ at: sql<number | null>`min(abs(at))` }).from(times),
  ]);
  return counted.length > 0 ? null : (first[0]?.at ?? now) + HOUR_MS;
}

/**
 * Records a card that was read.
 * @returns the oldest unused cards above the limit (for `deleteExpiredCards`)
 */
export async function recordImport(
  db: Database,
  input: { id: string; ownerId: string; objectKey: string; bytes: number; draft: string; now: number },
): Promise<ExpiredCard[]> {
  const { id, ownerId, objectKey, bytes, draft, now } = input;
  const [, older] = await db.batch([
    db
      .update(cards)
      .set({ objectKey, bytes, draft, createdAt: now })
      .where(and(eq(cards.id, id), eq(cards.ownerId, ownerId), lt(cards.createdAt, EXPIRED_TIME))),
    // Cards of the last hour still count towards the upload limit, so they stay.
    db
      .update(cards)
      .set({ createdAt: EXPIRED_TIME })
      .where(
        sql`${cards.id} in (select ${cards.id} from ${cards}
          where ${cards.ownerId} = ${ownerId} and ${cards.characterId} is null and ${cards.createdAt} > ${EXPIRED_TIME}
          order by ${cards.createdAt} desc, ${cards.id} desc limit -1 offset ${CARD.maxUnclaimed})
          and ${cards.createdAt} <= ${now - HOUR_MS}`,
      )
      .returning(expiredColumns),
  ]);
  return older;
}

/** Whether a card is still recorded: its owner may have been deleted in between. */
export async function isImportRecorded(db: Database, id: string): Promise<boolean> {
  const noted = and(eq(cards.id, id), gt(cards.createdAt, EXPIRED_TIME));
  return (await db.select({ id: cards.id }).from(cards).where(noted).get()) !== undefined;
}

/** Returns an imported card of the user, used for a character or not; null when there is none, or it has expired. */
export async function getImportedCard(
  db: Database,
  { importId, ownerId }: { importId: string; ownerId: string },
): Promise<{ objectKey: string } | null> {
  const row = await db
    .select({ objectKey: cards.objectKey })
    .from(cards)
    .where(and(eq(cards.id, importId), eq(cards.ownerId, ownerId), gt(cards.createdAt, EXPIRED_TIME)))
    .get();
  return row ?? null;
}

/**
 * Returns the storage key of a character's original and the form's fields at import; null for one that was created
 * here.
 */
export async function findCharacterCard(
  db: Database,
  characterId: string,
): Promise<{ objectKey: string; draft: string } | null> {
  const row = await db
    .select({ objectKey: cards.objectKey, draft: cards.draft })
    .from(cards)
    .where(eq(cards.characterId, characterId))
    .get();
  return row ?? null;
}

/**
 * Expires cards that were not used for a character within a day, and files that no longer count, a limited number per
 * run.
 */
export async function expireUnclaimedCards(db: Database, now: number): Promise<ExpiredCard[]> {
  return db
    .update(cards)
    .set({ createdAt: EXPIRED_TIME })
    .where(
      // Names the index, because the planner may choose an index of all characters' cards and scan each one that is not
      // due yet.
      sql`${cards.id} in (select ${cards.id} from ${cards} indexed by cards_unclaimed
        where ${cards.characterId} is null and ${cards.createdAt} between ${HOUR_MS - now} and ${now - CARD.unclaimedRetentionMs}
        order by ${cards.createdAt} limit ${CARD.maxClearedPerRun})`,
    )
    .returning(expiredColumns);
}

/** Deletes the rows of expired cards, once their originals are deleted. */
export async function deleteExpiredCards(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .delete(cards)
    .where(and(eq(cards.createdAt, EXPIRED_TIME), isNull(cards.characterId), hasIdIn(ids)));
}
