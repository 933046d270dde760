import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { appeals, caseSteps, measures } from '../../db/schema/safety.ts';
import { getMinIdAt } from '../../lib/ids.ts';

/*
 * What the end of a measure means beyond what it did: for the case that it came of, and for what was said against it.
 * These are writes that stand in one batch with the end itself.
 */

/** Who ends measures, and when. */
export interface Revocation {
  adminId: string;
  now: number;
}

/** A new id for each row that is found, of this moment. */
const buildRowId = (now: number): SQL => sql`${getMinIdAt(now)} || '0000' || lower(hex(randomblob(6)))`;

/** Writes down in the cases of measures that they end; to stand before the end. @param which measures that hold */
export const buildRevocationStepsStatement = (
  db: Database,
  which: SQL | undefined,
  { adminId, now }: Revocation,
) =>
  db.insert(caseSteps).select(
    sql`select ${buildRowId(now)}, ${measures.reportId}, ${adminId}, 'taken_back', '', ${now}
      from ${measures} where ${which} and ${measures.reportId} is not null`,
  );

/**
 * Grants what is open against measures that end, since they do as it asks; to stand before the end.
 * @param which measures that hold
 * @param exceptAppealId an appeal that is being decided by itself
 */
export function buildGrantAppealsStatements(
  db: Database,
  which: SQL | undefined,
  { adminId, now }: Revocation,
  exceptAppealId: string | null = null,
) {
  const open = sql`${appeals.status} = 'open' and ${appeals.id} is not ${exceptAppealId}
    and ${appeals.measureId} in (select ${measures.id} from ${measures} where ${which})`;
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
 * What is open against a measure goes on against the one that takes its place: nobody has to say it twice. To stand behind
 * both.
 * @param ended measures that ended just now
 */
export const buildMoveAppealsStatement = (db: Database, ended: SQL | undefined, measureId: string) =>
  db
    .update(appeals)
    .set({ measureId })
    .where(
      sql`${eq(appeals.status, 'open')} and ${appeals.measureId} in (select ${measures.id} from ${measures} where ${ended})`,
    );
