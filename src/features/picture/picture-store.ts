import { and, eq, gt, sql } from 'drizzle-orm';
import { PICTURE } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { isRemovedByStaff } from '../safety/removed-picture-statements.ts';
import { characters, conversations, pictures, users } from '../../db/schema/core.ts';

/**
 * The time of a picture that is being taken away. Its row stays until its bytes are gone, and whoever is about to show a
 * picture asks for one with a time, in the very write that shows it.
 */
const EXPIRED_TIME = 0;
const HOUR_MS = 3_600_000;
const HOURS = 24;

/**
 * Whether nothing shows a picture. Only its owner's account and characters can, and stories by the face that they keep.
 * One that staff took away may come back.
 */
const isUnused = sql`not exists (select 1 from ${users} as owner where owner.id = ${pictures.ownerId} and owner.avatar_key = ${pictures.key})
  and not exists (select 1 from ${characters} as made where made.creator_id = ${pictures.ownerId} and made.avatar_key = ${pictures.key})
  and not exists (select 1 from ${conversations} as story where story.avatar_url = '/media/' || ${pictures.key})
  and not ${isRemovedByStaff}`;

const hasKeyIn = (keys: readonly string[]) =>
  sql`${pictures.key} in (select value from json_each(${JSON.stringify(keys)}))`;

/**
 * Notes a picture that somebody brought. The same one again is the same row, as if it had come now. How many came
 * within the hour is asked in the write itself: of any number at once, none passes the limit.
 * @returns the keys of older ones that have to make room (for `deleteAbandonedPictures`), or, when too many came, when
 *   the next one may, in ms
 */
export async function savePicture(
  db: Database,
  input: { key: string; ownerId: string; bytes: number; now: number },
): Promise<{ kept: true; going: string[] } | { kept: false; retryAt: number }> {
  const { key, ownerId, bytes, now } = input;
  const sinceMs = now - HOUR_MS;
  const [kept, going, first] = await db.batch([
    db
      .insert(pictures)
      .select(
        sql`select ${key}, ${ownerId}, ${bytes}, ${now} where
          (select count(*) from ${pictures} where ${pictures.ownerId} = ${ownerId} and ${pictures.createdAt} > ${sinceMs}) < ${PICTURE.maxPerHour}
          or exists (select 1 from ${pictures} where ${pictures.key} = ${key})`,
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
    db
      .select({ at: sql<number>`min(${pictures.createdAt})` })
      .from(pictures)
      .where(and(eq(pictures.ownerId, ownerId), gt(pictures.createdAt, sinceMs))),
  ]);
  if (kept.length > 0) return { kept: true, going: going.map((row) => row.key) };
  return { kept: false, retryAt: (first[0]?.at ?? now) + HOUR_MS };
}

/** Whether a picture is still noted: its owner may have gone meanwhile. */
export async function isPictureRecorded(db: Database, key: string): Promise<boolean> {
  return (
    (await db.select({ key: pictures.key }).from(pictures).where(eq(pictures.key, key)).get()) !== undefined
  );
}

/**
 * Gives up pictures that nothing shows and nobody brought lately. Keys are hashes, so that each hour of the day has its
 * own part of them: every picture is looked at once a day, and no run looks at all.
 * @returns the keys, for `deleteAbandonedPictures`
 */
export async function expireUnusedPictures(db: Database, now: number): Promise<string[]> {
  const hour = new Date(now).getUTCHours();
  // After the last hexadecimal digit comes this one, and no key begins with it.
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

/** Forgets pictures that were given up, once their bytes are gone; one that was brought again meanwhile stays. */
export async function deleteExpiredPictures(db: Database, keys: readonly string[]): Promise<void> {
  await db.delete(pictures).where(and(eq(pictures.createdAt, EXPIRED_TIME), hasKeyIn(keys)));
}
