import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { APPEAL_LIMITS } from '../safety/limits.ts';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { EVIDENCE_STEP } from '../safety/appeal-exemption-statements.ts';
import { appeals, caseSteps, moderationActions } from '../../db/schema/safety.ts';
import { createId } from '../../lib/ids.ts';
import type {
  AppealBody,
  AppealDecision,
  AppealQueue,
  AppealQueueQuery,
  OwnAppealList,
  QueuedAppeal,
} from './appeal-contract.ts';
import type { StoredEvidence } from './appeal-token.ts';
import {
  buildQueueCursorCondition,
  type CaseDecision,
  HOUR_MS,
  buildQueueOrder,
  buildCaseStepStatement,
  toIsoTime,
  toIsoTimeOrNull,
} from './case-store.ts';

/**
 * Stores an appeal against a moderation action or a refused text. The insert itself checks that the action is active,
 * concerns this user and has no appeal yet, and that the hourly limit is not reached.
 * @returns its id; `not_found` for an action that has ended or concerns another user; `appeal_exists`; or, at the limit,
 *   the time of the next allowed appeal in ms
 */
export async function insertAppeal(
  db: Database,
  {
    userId,
    body,
    beside: evidence = null,
    now,
  }: { userId: string; body: AppealBody; beside?: StoredEvidence | null; now: number },
): Promise<{ kept: true; id: string } | { kept: false; reason: 'not_found' | 'appeal_exists' | number }> {
  const { measure_id: measureId, place, rule, refused_text: refusedText, message } = body;
  const id = createId(now);
  const isOwnAction =
    measureId === undefined
      ? sql`true`
      : sql`exists (select 1 from ${moderationActions} as held where held.id = ${measureId} and held.owner_id = ${userId} and held.revoked_at is null)`;
  const isBelowLimit = sql`(select count(*) from ${appeals} where user_id = ${userId} and created_at > ${now - HOUR_MS}) < ${APPEAL_LIMITS.maxPerHour}`;
  const keep = insertWhere(
    db,
    appeals,
    {
      id,
      userId,
      measureId: measureId ?? null,
      place: place ?? null,
      rule: rule ?? null,
      refusedText: refusedText ?? null,
      message,
      createdAt: now,
    },
    sql`${isOwnAction} and ${isBelowLimit}`,
  )
    .onConflictDoNothing()
    .returning({ id: appeals.id });
  const [kept] = await db.batch([
    keep,
    insertWhere(
      db,
      caseSteps,
      {
        id: createId(now),
        caseId: id,
        adminId: userId,
        step: EVIDENCE_STEP,
        note: JSON.stringify(evidence),
        createdAt: now,
      },
      sql`${evidence !== null} and exists (select 1 from ${appeals} where id = ${id})`,
    ),
  ]);
  if (kept.length > 0) return { kept: true, id };
  if (measureId !== undefined) {
    const found = await db.get<{ theirs: number; made: number }>(
      sql`select ${isOwnAction} as theirs, exists (select 1 from ${appeals} where measure_id is not null and measure_id = ${measureId}) as made`,
    );
    if (found.theirs === 0) return { kept: false, reason: 'not_found' };
    if (found.made === 1) return { kept: false, reason: 'appeal_exists' };
  }
  return { kept: false, reason: (await getNextAppealAt(db, userId, now)) ?? now };
}

/**
 * When the user may make another appeal. Checked before any expensive computation.
 * @returns ms since 1970; null if now
 */
export async function getNextAppealAt(db: Database, userId: string, now: number): Promise<number | null> {
  const made = await db
    .select({ count: sql<number>`count(*)`, first: sql<number | null>`min(${appeals.createdAt})` })
    .from(appeals)
    .where(and(eq(appeals.userId, userId), gt(appeals.createdAt, now - HOUR_MS)))
    .get();
  if (made === undefined || made.count < APPEAL_LIMITS.maxPerHour) return null;
  return (made.first ?? now) + HOUR_MS;
}

type AppealRow = typeof appeals.$inferSelect;

const toAppealFields = (row: AppealRow) => ({
  id: row.id,
  measure_id: row.measureId,
  place: row.place,
  rule: row.rule,
  status: row.status,
  answer: row.answer,
  created_at: toIsoTime(row.createdAt),
  decided_at: toIsoTimeOrNull(row.decidedAt),
});

/** Lists the user's appeals, newest first. */
export async function listOwnAppeals(
  db: Database,
  { userId, cursor, limit }: { userId: string; cursor?: string | undefined; limit: number },
): Promise<OwnAppealList> {
  const rows = await db
    .select()
    .from(appeals)
    .where(
      and(
        eq(appeals.userId, userId),
        buildCursorCondition(decodeCursor(cursor), appeals.createdAt, appeals.id),
      ),
    )
    .orderBy(desc(appeals.createdAt), desc(appeals.id))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: ({ createdAt, id }) => ({ value: createdAt, id }),
    item: (row) => ({ ...toAppealFields(row), refused_text: row.refusedText, message: row.message }),
  });
}

const QUEUE_COLUMNS = { appeal: appeals, kind: moderationActions.kind };

const toQueuedAppeal = ({ appeal, kind }: { appeal: AppealRow; kind: string | null }): QueuedAppeal => ({
  ...toAppealFields(appeal),
  measure_kind: kind,
});

/** Lists the queue of appeals for staff. */
export async function listAppealQueue(
  db: Database,
  { status, order, cursor, limit }: AppealQueueQuery,
): Promise<AppealQueue> {
  const rows = await db
    .select(QUEUE_COLUMNS)
    .from(appeals)
    .leftJoin(moderationActions, eq(moderationActions.id, appeals.measureId))
    .where(and(eq(appeals.status, status), buildQueueCursorCondition(appeals, order, cursor)))
    .orderBy(...buildQueueOrder(appeals, order))
    .limit(limit + 1);
  return buildPage(rows, limit, {
    place: ({ appeal }) => ({ value: appeal.createdAt, id: appeal.id }),
    item: toQueuedAppeal,
  });
}

/** Finds an appeal as shown in the queue, with the fields for its case; null if it does not exist. */
export async function findAppeal(db: Database, id: string) {
  const row = await db
    .select(QUEUE_COLUMNS)
    .from(appeals)
    .leftJoin(moderationActions, eq(moderationActions.id, appeals.measureId))
    .where(eq(appeals.id, id))
    .get();
  if (row === undefined) return null;
  const { userId, message, refusedText } = row.appeal;
  return { queued: toQueuedAppeal(row), userId, message, refusedText };
}

/** Reads the evidence that an appealed text was refused with; null if there is none. */
export async function readAppealEvidence(db: Database, id: string): Promise<StoredEvidence | null> {
  const row = await db
    .select({ note: caseSteps.note })
    .from(caseSteps)
    .where(and(eq(caseSteps.caseId, id), eq(caseSteps.step, EVIDENCE_STEP)))
    .get();
  return row === undefined ? null : (JSON.parse(row.note) as StoredEvidence);
}

/** Decides an appeal, or changes the decision, and records it. The caller applies the effect (`revokeModerationAction`). */
export async function decideAppeal(
  db: Database,
  deciding: CaseDecision<AppealDecision>,
): Promise<QueuedAppeal | null> {
  const { id, decision, now } = deciding;
  const { status, answer } = decision;
  await db.batch([
    buildCaseStepStatement(db, appeals, deciding),
    db.update(appeals).set({ status, answer, decidedAt: now }).where(eq(appeals.id, id)),
  ]);
  return (await findAppeal(db, id))?.queued ?? null;
}
