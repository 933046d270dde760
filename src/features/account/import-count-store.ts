import { sql } from 'drizzle-orm';
import { importCounts } from '../../db/schema/core.ts';
import type { Database } from '../../db/open.ts';
import { MAX_IMPORTS_PER_DAY } from './limits.ts';

/**
 * Counts a file that a user sends. The write itself checks the limit, so concurrent requests cannot exceed it.
 * @param input.day in UTC, days since the epoch
 * @returns false when the user has sent as many as they may on that day
 */
export async function countImport(
  db: Database,
  { ownerId, kind, day }: { ownerId: string; kind: 'file' | 'picture'; day: number },
): Promise<boolean> {
  const isSameDay = sql`${importCounts.day} = ${day}`;
  const counted = await db
    .insert(importCounts)
    .values({ ownerId, kind, day, count: 1 })
    .onConflictDoUpdate({
      target: [importCounts.ownerId, importCounts.kind],
      set: { day, count: sql`iif(${isSameDay}, ${importCounts.count} + 1, 1)` },
      setWhere: sql`not ${isSameDay} or ${importCounts.count} < ${MAX_IMPORTS_PER_DAY}`,
    })
    .returning({ count: importCounts.count });
  return counted.length > 0;
}
