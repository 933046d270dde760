import { asc, desc, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { insertWhere } from '../../db/insert-where.ts';
import { decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { caseSteps } from '../../db/schema/safety.ts';
import { createId } from '../../lib/ids.ts';

/** What reports and appeals have in common: a queue that staff goes through, and decisions that are written down. */

export const HOUR_MS = 3_600_000;

export const toIsoTime = (at: number): string => new Date(at).toISOString();
export const toIsoTimeOrNull = (at: number | null): string | null => (at === null ? null : toIsoTime(at));

/** Cases, by when they came. */
export interface CaseColumns {
  createdAt: SQLiteColumn;
  id: SQLiteColumn;
}

/** The order of a queue. */
export const buildQueueOrder = ({ createdAt, id }: CaseColumns, order: 'newest' | 'oldest'): SQL[] =>
  order === 'oldest' ? [asc(createdAt), asc(id)] : [desc(createdAt), desc(id)];

/** What comes behind the place where a page of a queue ended; all of it where there was none. */
export function buildQueueCursorCondition(
  { createdAt, id }: CaseColumns,
  order: 'newest' | 'oldest',
  cursor: string | undefined,
): SQL | undefined {
  const place = decodeCursor(cursor);
  // As one value: the index is entered where the page before ended.
  return place === null
    ? undefined
    : sql`(${createdAt}, ${id}) ${sql.raw(order === 'oldest' ? '>' : '<')} (${place.value}, ${place.id})`;
}

/** Writes down what staff decided about a case, if there is one; to stand in a batch with what it decides. */
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

/** A decision of staff's about a case. */
export interface CaseDecision<Decision> {
  id: string;
  decision: Decision;
  adminId: string;
  now: number;
}
