import { and, gt, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { sessions, users } from '../../../db/schema/core.ts';

/** Returns those of the given sessions, by public id, that are still active. */
export type FindActiveSessions = (publicIds: string[]) => Promise<ReadonlySet<string>>;

/**
 * Returns those of the given sessions, by public id, that have not expired and whose user is not suspended.
 * @param now milliseconds since 1970
 */
export async function findActiveSessions(
  db: Database,
  publicIds: string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ publicId: sessions.publicId })
    .from(sessions)
    .where(
      and(
        inArray(sessions.publicId, publicIds),
        gt(sessions.expiresAt, Math.floor(now / 1000)),
        sql`not exists (select 1 from ${users} as owner where owner.id = ${sessions.userId} and owner.suspended_at is not null)`,
      ),
    );
  return new Set(rows.map(({ publicId }) => publicId));
}
