import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { dailyCounts } from '../../db/schema/core.ts';
import type { Database } from '../../db/open.ts';

/** A counter of one day and how far it may go, such as the guests that a network has started. */
export interface DailyCounter {
  /** Keyed hash. */
  counter: string;
  limit: number;
}

/**
 * Adds one to all of the counters, or to none when one of them has reached its limit. One statement checks and counts, so
 * concurrent requests cannot exceed a limit.
 * @param day in UTC, days since the epoch
 * @returns false when a limit is reached
 */
export async function countDaily(
  db: Database,
  day: number,
  counters: readonly DailyCounter[],
): Promise<boolean> {
  const asked = JSON.stringify(counters);
  const counted = await db.all<{ counter: string }>(
    sql`insert into ${dailyCounts} (day, counter, count)
      select ${day}, value ->> 'counter', 1 from json_each(${asked}) where not exists (
        select 1 from json_each(${asked}) as asked cross join ${dailyCounts} as known
        where known.day = ${day} and known.counter = asked.value ->> 'counter' and known.count >= asked.value ->> 'limit')
      on conflict (day, counter) do update set count = count + 1
      returning counter`,
  );
  return counted.length > 0;
}

/** Takes one from each of the counters, for what was counted and then did not happen. */
export async function undoDailyCount(
  db: Database,
  day: number,
  counters: readonly DailyCounter[],
): Promise<void> {
  const names = counters.map(({ counter }) => counter);
  await db
    .update(dailyCounts)
    .set({ count: sql`max(${dailyCounts.count} - 1, 0)` })
    .where(and(eq(dailyCounts.day, day), inArray(dailyCounts.counter, names)));
}

/** Removes the counts of days that are over; run by cron. @param day the current day */
export async function removeOldDailyCounts(db: Database, day: number): Promise<void> {
  await db.delete(dailyCounts).where(lt(dailyCounts.day, day));
}
