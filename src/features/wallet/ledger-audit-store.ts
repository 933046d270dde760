import { and, asc, gt, ne } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';
import { SYNTHETIC_USER_ID } from '../account/synthetic-user.ts';

/** Lists the ids of users who may have a wallet, except the synthetic user, in id order after the given one. */
export async function listUserIdsAfter(db: Database, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(gt(users.id, after), ne(users.id, SYNTHETIC_USER_ID)))
    .orderBy(asc(users.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
