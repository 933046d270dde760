import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { appeals, caseSteps, moderationActions } from '../../db/schema/safety.ts';
import { getMinIdAt } from '../../lib/ids.ts';

// Effects of ending a moderation action on its report and its appeals. These writes belong in the batch that ends
// the action.

/** Who ends the actions, and when. */
export interface Revocation {
  adminId: string;
  now: number;
}

/** A new id for each selected row, with the given time. */
const buildRowId = (now: number): SQL => sql`${getMinIdAt(now)} || '0000' || lower(hex(randomblob(6)))`;

/** Records the end of actions in the cases of their reports. Must run before they end. @param which active actions */
export const buildRevocationStepsStatement = (
  db: Database,
  which: SQL | undefined,
  { adminId, now }: Revocation,
) =>
  db.insert(caseSteps).select(
    sql`select ${buildRowId(now)}, ${moderationActions.reportId}, ${adminId}, 'taken_back', '', ${now}
      from ${moderationActions} where ${which} and ${moderationActions.reportId} is not null`,
  );

/**
 * Grants the open appeals against actions that are being revoked. Must run before they end.
 * @param which active actions
 * @param exceptAppealId an appeal that is being decided separately
 */
export function buildGrantAppealsStatements(
  db: Database,
  which: SQL | undefined,
  { adminId, now }: Revocation,
  exceptAppealId: string | null = null,
) {
  const open = sql`${appeals.status} = 'open' and ${appeals.id} is not ${exceptAppealId}
    and ${appeals.measureId} in (select ${moderationActions.id} from ${moderationActions} where ${which})`;
  return [
    db
      .insert(caseSteps)
      .select(
        sql`select ${buildRowId(now)}, ${appeals.id}, ${adminId}, 'granted', '', ${now} from ${appeals} where ${open}`,
      ),
    db.update(appeals).set({ status: 'granted', decidedAt: now }).where(open),
  ] as const;
}

/**
 * Moves open appeals from a replaced action to its replacement, so that users need not appeal again. Must run after both
 * writes.
 * @param ended actions that have just ended
 */
export const buildMoveAppealsStatement = (db: Database, ended: SQL | undefined, measureId: string) =>
  db
    .update(appeals)
    .set({ measureId })
    .where(
      sql`${eq(appeals.status, 'open')} and ${appeals.measureId} in (select ${moderationActions.id} from ${moderationActions} where ${ended})`,
    );
