import { lt, sql } from 'drizzle-orm';
import { LISTINGS, TRENDING } from '../limits.ts';
import { characterDays } from '../../../db/schema/character.ts';
import type { Database } from '../../../db/open.ts';
import { TRENDING_LISTS, getTrendingKey, type TrendingList } from './trending.ts';

/* Keeps the public lists up to date; run by cron, and each call is safe to repeat. */

const DAY_MS = 86_400_000;

/** Returns the UTC day of a time, as `character_days` counts it: days since the epoch. */
export const toCharacterDay = (now: number): number => Math.floor(now / DAY_MS);

/**
 * Copies the chat counts of characters that had newly counted or withdrawn chats since the last run into the lists.
 * @returns whether some are left for the next run
 */
export async function updateListings(db: Database): Promise<boolean> {
  // Both statements select the same rows, because a batch is one transaction.
  const some = sql.raw(
    `select day, character_id from character_days where is_pending = 1 order by day, character_id limit ${LISTINGS.refreshBatchSize}`,
  );
  for (let round = 0; round < LISTINGS.maxRoundsPerRun; round += 1) {
    const [, done] = await db.batch([
      db.run(
        sql`update character_listings
            set chat_count = (select c.chat_count from characters c where c.id = character_listings.character_id)
            where character_id in (select character_id from (${some}))`,
      ),
      db.all<{ day: number }>(
        sql`update character_days set is_pending = 0 where (day, character_id) in (${some}) returning day`,
      ),
    ]);
    if (done.length < LISTINGS.refreshBatchSize) return false;
  }
  return true;
}

/** Deletes daily counts that nothing needs any more. */
export async function removeOldDays(db: Database, now: number): Promise<void> {
  await db.delete(characterDays).where(lt(characterDays.day, toCharacterDay(now) - TRENDING.retentionDays));
}

interface RankedCharacter {
  tag: string;
  nsfw: number;
  id: string;
  ofAll: number;
  ofSide: number;
}

/**
 * Ranks the characters with recently counted chats, per tag and overall; the weight of a chat halves every two days.
 */
async function rankCharacters(db: Database, now: number): Promise<RankedCharacter[]> {
  const today = toCharacterDay(now);
  const weights = Array.from({ length: TRENDING.windowDays }, (_, age) => [
    today - age,
    2 ** (-age / TRENDING.halfLifeDays),
  ]);
  const order = sql.raw('order by s.score desc, l.chat_count desc, s.id desc');
  return db.all<RankedCharacter>(
    sql`with weights as (
          select value ->> 0 as day, value ->> 1 as weight from json_each(${JSON.stringify(weights)})
        ), scored as materialized (
          select d.character_id as id, sum(d.chats * w.weight) as score
          from weights w cross join character_days d where d.day = w.day and d.chats > 0 group by d.character_id
        ), ranked as (
          select l.tag, l.nsfw, s.id, row_number() over (partition by l.tag ${order}) as ofAll,
            row_number() over (partition by l.tag, l.nsfw ${order}) as ofSide
          from scored s cross join character_listings l where l.character_id = s.id
        )
        select * from ranked where ofAll <= ${TRENDING.maxIds} or (nsfw = 0 and ofSide <= ${TRENDING.maxIds})`,
  );
}

/**
 * Computes the trending lists when the current ones are an hour old.
 * @returns whether it did
 */
export async function updateTrending(db: Database, kv: KVNamespace, now: number): Promise<boolean> {
  // The list that is written last: while it is old, the other ones may be incomplete.
  const last = TRENDING_LISTS.at(-1);
  const kept = last && (await kv.get<TrendingList>(getTrendingKey(last), 'json'));
  if (kept && now - Number(kept.version) < TRENDING.refreshIntervalMs) return false;
  const ranked = await rankCharacters(db, now);
  for (const which of TRENDING_LISTS) {
    const ids = ranked
      .filter(({ tag, nsfw, ofAll, ofSide }) => {
        const place = which.spicy ? ofAll : ofSide;
        return tag === which.tag && (which.spicy || nsfw === 0) && place <= TRENDING.maxIds;
      })
      .toSorted((a, b) => (which.spicy ? a.ofAll - b.ofAll : a.ofSide - b.ofSide))
      .map(({ id }) => id);
    const key = getTrendingKey(which);
    const known = await kv.get<TrendingList>(key, 'json');
    const before = known && { version: known.version, ids: known.ids };
    await kv.put(key, JSON.stringify({ version: String(now), ids, before } satisfies TrendingList));
  }
  return true;
}
