import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { CARD } from '../character/limits.ts';
import { cards } from '../../db/schema/character.ts';
import { users } from '../../db/schema/core.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { hasStorageRoom } from '../storage/storage-statements.ts';

/**
 * Creation time of a card that is being deleted. Its row stays until its original is deleted, and no character can be
 * created from it any more.
 */
const EXPIRED_TIME = 0;

const hasIdIn = (ids: readonly string[]) =>
  sql`${cards.id} in (select value from json_each(${JSON.stringify(ids)}))`;

export interface ExpiredCard {
  id: string;
  objectKey: string;
}
const expiredColumns = { id: cards.id, objectKey: cards.objectKey };

/**
 * Records a card that was read, unless its owner was deleted, or has no room for it.
 * @returns the oldest unused cards above the limit (for `deleteExpiredCards`)
 */
export async function recordImport(
  db: Database,
  input: {
    id: string;
    ownerId: string;
    objectKey: string;
    bytes: number;
    /** The most that the owner may store. */
    maxBytes: number;
    draft: string;
    now: number;
  },
): Promise<ExpiredCard[]> {
  const { id, ownerId, objectKey, bytes, maxBytes, draft, now } = input;
  const [, older] = await db.batch([
    insertWhere(
      db,
      cards,
      { id, ownerId, objectKey, bytes, draft, createdAt: now },
      sql`exists (select 1 from ${users} where ${users.id} = ${ownerId}) and ${hasStorageRoom({ ownerId, bytes, maxBytes }, now)}`,
    ),
    db
      .update(cards)
      .set({ createdAt: EXPIRED_TIME })
      .where(
        sql`${cards.id} in (select ${cards.id} from ${cards}
          where ${cards.ownerId} = ${ownerId} and ${cards.characterId} is null and ${cards.createdAt} > ${EXPIRED_TIME}
          order by ${cards.createdAt} desc, ${cards.id} desc limit -1 offset ${CARD.maxUnclaimed})`,
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
 * Expires cards that were not used for a character within a day, a limited number per run; also returns those whose
 * deletion failed before.
 */
export async function expireUnclaimedCards(db: Database, now: number): Promise<ExpiredCard[]> {
  return db
    .update(cards)
    .set({ createdAt: EXPIRED_TIME })
    .where(
      // Names the index, because the planner may choose an index of all characters' cards and scan each one that is not
      // due yet.
      sql`${cards.id} in (select ${cards.id} from ${cards} indexed by cards_unclaimed
        where ${cards.characterId} is null and ${cards.createdAt} <= ${now - CARD.unclaimedRetentionMs}
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
