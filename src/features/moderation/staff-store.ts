import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { HOUR_MS } from './case-store.ts';
import { STAFF_LIMITS } from './limits.ts';
import { EVIDENCE_STEP } from '../safety/appeal-exemption-statements.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { caseSteps, staffAccessLog } from '../../db/schema/safety.ts';
import { characters, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type { CaseStep, StaffViewList, ViewedResource } from './staff-contract.ts';

/** Private data of a user that staff is about to view. */
export interface StaffAccess {
  ownerId: string;
  resourceType: ViewedResource;
  resourceId: string;
}

/** Views of the same thing by the same admin within this time are one view of a case, which is read again after each step. */
const CASE_VIEW_MS = 24 * HOUR_MS;

/**
 * Records staff views of private data. Await it before showing the data, so that no view is unrecorded. Rows of deleted
 * accounts are skipped.
 */
export async function recordStaffViews(
  db: Database,
  {
    adminId,
    viewed,
    now,
    since = now + 1,
  }: {
    adminId: string;
    viewed: readonly StaffAccess[];
    now: number;
    /** Views that this admin has had since this time, in ms, are not recorded again; by default all are. */
    since?: number;
  },
): Promise<void> {
  if (viewed.length === 0) return;
  // One statement for any number of views.
  const rowsJson = JSON.stringify(viewed.map((one) => ({ ...one, id: createId(now) })));
  await db.insert(staffAccessLog).select(
    sql`select line.value ->> 'id', ${users.id}, ${adminId}, line.value ->> 'resourceType', line.value ->> 'resourceId', ${now}
      from json_each(${rowsJson}) as line join ${users} on ${users.id} = line.value ->> 'ownerId'
      where not exists (select 1 from staff_access_log as known
        where known.owner_id = line.value ->> 'ownerId' and known.created_at >= ${since} and known.admin_id = ${adminId}
          and known.resource_type = line.value ->> 'resourceType' and known.resource_id = line.value ->> 'resourceId')`,
  );
}

/** Records the views of an opened case, each once a day. */
export const recordCaseViews = (
  db: Database,
  views: { adminId: string; viewed: readonly StaffAccess[]; now: number },
): Promise<void> => recordStaffViews(db, { ...views, since: views.now - CASE_VIEW_MS });

/** Lists the staff views of a user's data, newest first. */
export async function listStaffViews(
  db: Database,
  { ownerId, cursor, limit }: { ownerId: string; cursor?: string | undefined; limit: number },
): Promise<StaffViewList> {
  const rows = await db
    .select({
      id: staffAccessLog.id,
      resourceType: staffAccessLog.resourceType,
      resourceId: staffAccessLog.resourceId,
      createdAt: staffAccessLog.createdAt,
      name: sql<
        string | null
      >`(select own.name from ${characters} as own where own.id = staff_access_log.resource_id and own.creator_id = staff_access_log.owner_id)`,
    })
    .from(staffAccessLog)
    .where(
      and(
        eq(staffAccessLog.ownerId, ownerId),
        buildCursorCondition(decodeCursor(cursor), staffAccessLog.createdAt, staffAccessLog.id),
      ),
    )
    .orderBy(desc(staffAccessLog.createdAt), desc(staffAccessLog.id))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: ({ createdAt, id }) => ({ value: createdAt, id }),
    item: ({ id, resourceType, resourceId, createdAt, name }) => ({
      id,
      what: resourceType,
      subject_id: resourceId,
      name: name === null ? null : sanitizeText(name),
      at: new Date(createdAt).toISOString(),
    }),
  });
}

/** Lists the steps of a case, newest first. */
export async function listCaseSteps(db: Database, caseId: string): Promise<CaseStep[]> {
  const rows = await db
    .select()
    .from(caseSteps)
    .where(and(eq(caseSteps.caseId, caseId), ne(caseSteps.step, EVIDENCE_STEP)))
    .orderBy(desc(caseSteps.createdAt), desc(caseSteps.id))
    .limit(STAFF_LIMITS.maxStepsShown);
  const names = await readDisplayNames(db, [...new Set(rows.map(({ adminId }) => adminId))]);
  return rows.map(({ id, step, note, createdAt, adminId }) => ({
    id,
    step,
    note,
    at: new Date(createdAt).toISOString(),
    admin: { id: adminId, name: names.get(adminId) ?? null },
  }));
}

async function readDisplayNames(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, username: users.username, nickname: users.nickname })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map(({ id, username, nickname }) => [id, sanitizeText(nickname ?? username)]));
}

/** A user as named in a case; null if the account is deleted. */
export async function readCasePerson(db: Database, id: string) {
  const row = await db
    .select({ username: users.username, nickname: users.nickname, suspendedAt: users.suspendedAt })
    .from(users)
    .where(eq(users.id, id))
    .get();
  if (row === undefined) return null;
  return {
    id,
    name: sanitizeText(row.nickname ?? row.username),
    suspended_at: row.suspendedAt === null ? null : new Date(row.suspendedAt).toISOString(),
  };
}
