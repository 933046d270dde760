import { lt, sql } from 'drizzle-orm';
import { guestCounts } from '../../db/schema/core.ts';
import type { Database } from '../../db/open.ts';

/** A network that a new guest counts towards. */
export interface CountedNetwork {
  /** Keyed hash. */
  network: string;
  /** Guests that it may start in a day. */
  limit: number;
}

/**
 * Counts a guest towards all of the networks, or towards none when one of them has reached its limit. One statement checks
 * and counts, so concurrent requests cannot exceed a limit.
 * @param day in UTC, days since the epoch
 * @returns false when a limit is reached
 */
export async function countGuest(
  db: Database,
  day: number,
  networks: readonly CountedNetwork[],
): Promise<boolean> {
  const asked = JSON.stringify(networks);
  const counted = await db.all<{ network: string }>(
    sql`insert into ${guestCounts} (day, network, count)
      select ${day}, value ->> 'network', 1 from json_each(${asked}) where not exists (
        select 1 from json_each(${asked}) as asked cross join ${guestCounts} as known
        where known.day = ${day} and known.network = asked.value ->> 'network' and known.count >= asked.value ->> 'limit')
      on conflict (day, network) do update set count = count + 1
      returning network`,
  );
  return counted.length > 0;
}

/** Removes the counts of days that are over; run by cron. @param day the current day */
export async function removeOldGuestCounts(db: Database, day: number): Promise<void> {
  await db.delete(guestCounts).where(lt(guestCounts.day, day));
}
