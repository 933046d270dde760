import { and, gt, inArray } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { sessions } from '../../db/schema.ts';

/** Which of these sessions are not over, by their public ids. @param now milliseconds since 1970 */
export async function livingSessions(
  db: Database,
  publicIds: string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ publicId: sessions.publicId })
    .from(sessions)
    .where(and(inArray(sessions.publicId, publicIds), gt(sessions.expiresAt, Math.floor(now / 1000))));
  return new Set(rows.map(({ publicId }) => publicId));
}
