import { and, asc, gt, ne } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { users } from '../../db/schema/core.ts';
import { HOUSE_VISITOR } from '../account/synthetic-user.ts';

/** Who may have a wallet, but for the house's own visitor, in a fixed order, after one of them. */
export async function peopleAfter(db: Database, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(gt(users.id, after), ne(users.id, HOUSE_VISITOR)))
    .orderBy(asc(users.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
