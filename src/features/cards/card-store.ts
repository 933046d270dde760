import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { CARD } from '../character/limits.ts';
import { cards } from '../../db/schema/character.ts';
import type { Database } from '../../db/open.ts';

/**
 * The time of a card that is being taken away. Its row stays until its original is gone, and no character can be made of
 * it any more. What was brought and not read, or not yet, has its time below this one, with its sign turned around.
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
 * Counts a file that somebody brings, before anything of it is read: one that is no card costs as much as any. How many
 * came within the hour is asked in the write itself: of any number at once, none passes the limit.
 * @param id what the card is called from now on, if it is one
 * @returns null when it may be read; when too many came, when the next one may, in ms
 */
export async function countImport(
  db: Database,
  { id, ownerId, now }: { id: string; ownerId: string; now: number },
): Promise<number | null> {
  const sinceMs = now - HOUR_MS;
  // Two searches: one that asks for either would go through everything that somebody ever brought.
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
 * Notes a card that was read.
 * @returns older ones of which no character was made and that have to make room (for `deleteExpiredCards`)
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
    // What came within the hour is counted still, and stays.
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

/** Whether a card is still noted: its owner may have gone meanwhile. */
export async function isImportRecorded(db: Database, id: string): Promise<boolean> {
  const noted = and(eq(cards.id, id), gt(cards.createdAt, EXPIRED_TIME));
  return (await db.select({ id: cards.id }).from(cards).where(noted).get()) !== undefined;
}

/** A card that somebody brought, whatever has become of it; null when there is none of theirs, or it is kept no longer. */
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

/** Where a character's original lies, and what the form's fields were when it came; null when it was made here. */
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

/** Gives up cards of which no character was made within a day, and files that are counted no longer; some at a time. */
export async function expireUnclaimedCards(db: Database, now: number): Promise<ExpiredCard[]> {
  return db
    .update(cards)
    .set({ createdAt: EXPIRED_TIME })
    .where(
      // Named, because an index of all characters' cards seems as good, and leads through each that is not due yet.
      sql`${cards.id} in (select ${cards.id} from ${cards} indexed by cards_unclaimed
        where ${cards.characterId} is null and ${cards.createdAt} between ${HOUR_MS - now} and ${now - CARD.unclaimedRetentionMs}
        order by ${cards.createdAt} limit ${CARD.maxClearedPerRun})`,
    )
    .returning(expiredColumns);
}

/** Forgets cards that were given up, once their originals are gone. */
export async function deleteExpiredCards(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .delete(cards)
    .where(and(eq(cards.createdAt, EXPIRED_TIME), isNull(cards.characterId), hasIdIn(ids)));
}
