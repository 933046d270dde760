import { sql } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { crisisDays } from '../../../db/schema/safety.ts';
import type { CrisisKind } from '../../safety/decisions.ts';

/** Adds one to the count of a day and kind in D1. The count contains neither users nor texts. */
export async function countReferral(
  db: Database,
  { day, kind }: { day: number; kind: CrisisKind },
): Promise<void> {
  await db
    .insert(crisisDays)
    .values({ day, kind, referrals: 1 })
    .onConflictDoUpdate({
      target: [crisisDays.day, crisisDays.kind],
      set: { referrals: sql`${crisisDays.referrals} + 1` },
    });
}
