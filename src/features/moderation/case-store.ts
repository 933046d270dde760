import { asc, desc, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { insertWhere } from '../../db/insert-where.ts';
import { decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { caseSteps } from '../../db/schema/safety.ts';
import { createId } from '../../lib/ids.ts';

/** Shared by reports and appeals: the queue for staff and the record of decisions. */

export const HOUR_MS = 3_600_000;

export const toIsoTime = (at: number): string => new Date(at).toISOString();
export const toIsoTimeOrNull = (at: number | null): string | null => (at === null ? null : toIsoTime(at));

/** The columns of a case that order the queue. */
export interface CaseColumns {
  createdAt: SQLiteColumn;
  id: SQLiteColumn;
}

export const buildQueueOrder = ({ createdAt, id }: CaseColumns, order: 'newest' | 'oldest'): SQL[] =>
  order === 'oldest' ? [asc(createdAt), asc(id)] : [desc(createdAt), desc(id)];

/** The condition for the rows after a cursor; undefined without a cursor. */
export function buildQueueCursorCondition(
  { createdAt, id }: CaseColumns,
  order: 'newest' | 'oldest',
  cursor: string | undefined,
): SQL | undefined {
  const place = decodeCursor(cursor);
  // A row value comparison, so that the index seek starts at the cursor.
  return place === null
    ? undefined
    : sql`(${createdAt}, ${id}) ${sql.raw(order === 'oldest' ? '>' : '<')} (${place.value}, ${place.id})`;
}

/** Records a decision, if the case exists. Put it into the batch of the decision. */
export const buildCaseStepStatement = (
  db: Database,
  cases: SQLiteTable & { id: SQLiteColumn },
  { id, decision, adminId, now }: CaseDecision<{ status: string; note?: string | undefined }>,
) =>
  insertWhere(
    db,
    caseSteps,
    {
      id: createId(now),
      caseId: id,
      adminId,
      step: decision.status,
      note: decision.note ?? '',
      createdAt: now,
    },
    sql`exists (select 1 from ${cases} where ${cases.id} = ${id})`,
  );

/** A staff decision about a case. */
export interface CaseDecision<Decision> {
  id: string;
  decision: Decision;
  adminId: string;
  now: number;
}
