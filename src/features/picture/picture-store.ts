import { and, eq, sql } from 'drizzle-orm';
import { insertWhere } from '../../db/insert-where.ts';
import { hasStorageRoom } from '../storage/storage-statements.ts';
import { PICTURE } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { isRemovedByStaff } from '../safety/removed-picture-statements.ts';
import { characters, conversations, personas, pictures, users } from '../../db/schema/core.ts';

/**
 * `createdAt` of a picture that is being deleted. The row stays until its bytes are deleted; a write that starts to use a
 * picture requires a non-zero time in the same statement.
 */
const EXPIRED_TIME = 0;
const HOURS = 24;

/**
 * Whether nothing uses a picture: neither its owner's account, characters and personas, also those in the trash, nor a
 * conversation that keeps the avatar.
 * Pictures removed by staff count as used, because they can be restored.
 */
const isUnused = sql`not exists (select 1 from ${users} as owner where owner.id = ${pictures.ownerId} and owner.avatar_key = ${pictures.key})
  and not exists (select 1 from ${characters} as made where made.creator_id = ${pictures.ownerId} and made.avatar_key = ${pictures.key})
  and not exists (select 1 from ${personas} as role where role.owner_id = ${pictures.ownerId} and role.avatar_key = ${pictures.key})
  and not exists (select 1 from ${conversations} as story where story.avatar_url = '/media/' || ${pictures.key})
  and not ${isRemovedByStaff}`;

const hasKeyIn = (keys: readonly string[]) =>
  sql`${pictures.key} in (select value from json_each(${JSON.stringify(keys)}))`;

/**
 * Records an uploaded picture; uploading it again renews its time.
 * @param input.maxBytes the most that the owner may store
 * @returns the keys of the oldest unused pictures, for `deleteAbandonedPictures`; null when there is no room for the picture
 */
export async function savePicture(
  db: Database,
  {
    key,
    ownerId,
    bytes,
    maxBytes,
    now,
  }: { key: string; ownerId: string; bytes: number; maxBytes: number; now: number },
): Promise<string[] | null> {
  const isKnown = sql`exists (select 1 from ${pictures} where ${pictures.key} = ${key})`;
  const [saved, going] = await db.batch([
    insertWhere(
      db,
      pictures,
      { key, ownerId, bytes, createdAt: now },
      sql`(${isKnown} or ${hasStorageRoom({ ownerId, bytes, maxBytes }, now)})`,
    )
      .onConflictDoUpdate({ target: pictures.key, set: { createdAt: now } })
      .returning({ key: pictures.key }),
    db
      .update(pictures)
      .set({ createdAt: EXPIRED_TIME })
      .where(
        sql`${pictures.key} in (select ${pictures.key} from ${pictures}
          where ${pictures.ownerId} = ${ownerId} and ${pictures.createdAt} > ${EXPIRED_TIME} and ${isUnused}
          order by ${pictures.createdAt} desc, ${pictures.key} limit -1 offset ${PICTURE.maxUnused})`,
      )
      .returning({ key: pictures.key }),
  ]);
  return saved.length === 0 ? null : going.map((row) => row.key);
}

/** Whether a picture's row still exists; the account may have been deleted in the meantime. */
export async function isPictureRecorded(db: Database, key: string): Promise<boolean> {
  return (
    (await db.select({ key: pictures.key }).from(pictures).where(eq(pictures.key, key)).get()) !== undefined
  );
}

/**
 * Marks unused, old pictures for deletion. Keys are hashes, and each hour of the day handles its own range of them, so
 * every picture is checked once a day without a full scan.
 * @returns the keys, for `deleteAbandonedPictures`
 */
export async function expireUnusedPictures(db: Database, now: number): Promise<string[]> {
  const hour = new Date(now).getUTCHours();
  // 'g' sorts after every hexadecimal digit.
  const [from, to] = [hour, hour + 1].map((part) =>
    part === HOURS
      ? 'g'
      : Math.floor((part * 256) / HOURS)
          .toString(16)
          .padStart(2, '0'),
  ) as [string, string];
  const given = await db
    .update(pictures)
    .set({ createdAt: EXPIRED_TIME })
    .where(
      sql`${pictures.key} in (select ${pictures.key} from ${pictures}
        where ${pictures.key} >= ${from} and ${pictures.key} < ${to}
          and ${pictures.createdAt} < ${now - PICTURE.unusedRetentionMs} and ${isUnused}
        limit ${PICTURE.maxClearedPerRun})`,
    )
    .returning({ key: pictures.key });
  return given.map(({ key }) => key);
}

/**
 * Marks a user's unused, old pictures for deletion; a newer one may belong to an open form.
 * @returns the keys, for `deleteAbandonedPictures`
 */
export async function expireOwnUnusedPictures(
  db: Database,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<string[]> {
  const given = await db
    .update(pictures)
    .set({ createdAt: EXPIRED_TIME })
    .where(
      sql`${pictures.key} in (select ${pictures.key} from ${pictures}
        where ${pictures.ownerId} = ${ownerId} and ${pictures.createdAt} < ${now - PICTURE.unusedRetentionMs} and ${isUnused}
        limit ${PICTURE.maxClearedPerRun})`,
    )
    .returning({ key: pictures.key });
  return given.map(({ key }) => key);
}

/** Marks those of the given pictures for deletion that nothing uses. @returns their keys, for `deleteAbandonedPictures` */
export async function expirePictures(db: Database, keys: readonly string[]): Promise<string[]> {
  const given = await db
    .update(pictures)
    .set({ createdAt: EXPIRED_TIME })
    .where(and(hasKeyIn(keys), isUnused))
    .returning({ key: pictures.key });
  return given.map(({ key }) => key);
}

/** Deletes the rows of pictures whose bytes are gone, except pictures that were uploaded again in between. */
export async function deleteExpiredPictures(db: Database, keys: readonly string[]): Promise<void> {
  await db.delete(pictures).where(and(eq(pictures.createdAt, EXPIRED_TIME), hasKeyIn(keys)));
}
