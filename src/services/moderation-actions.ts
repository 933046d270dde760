import type { Context } from 'hono';
import { makeSearchWords } from '../features/character/discovery/search-words-store.ts';
import { sessionIdsOf } from '../features/account/session-store.ts';
import type { Measure, MeasureBody } from '../features/moderation/moderation-action-contract.ts';
import { endMeasure, takeMeasure } from '../features/moderation/moderation-action-apply-store.ts';
import { isReportOf } from '../features/moderation/report-store.ts';
import { noteViews } from '../features/moderation/staff-store.ts';
import type { ApiEnv } from '../api/middleware/context.ts';
import { requireCaller } from '../api/middleware/guards.ts';
import { hangUp } from './close-session-sockets.ts';
import { Problem } from '../api/middleware/problems.ts';
import { log } from '../lib/log.ts';

/** Sessions whose open tabs are let go of at once; those of others are when they would be told something. */
const MAX_HUNG_UP = 10;

/** Who did what, and to what: for the operator to go back to. Why is in the measure, for whoever it concerns. */
export function logMeasure(
  event: 'measure_taken' | 'measure_ended',
  measure: Measure,
  adminId: string,
): void {
  const { id, kind, subject_id } = measure;
  log(event, { admin_id: adminId, measure_id: id, kind, subject_id });
}

/**
 * Takes a measure for the calling admin.
 * @throws Problem `not_found`, `forbidden`, `nothing_to_take`
 */
export async function take(
  c: Context<ApiEnv>,
  { kind, subject_id: subjectId, reason, report_id: reportId }: MeasureBody,
): Promise<Measure> {
  const { user } = await requireCaller(c);
  const db = c.get('db');
  if (reportId !== undefined && !(await isReportOf(db, { id: reportId, subjectId })))
    throw new Problem('not_found');
  const taken = await takeMeasure(db, {
    kind,
    subjectId,
    reason,
    reportId: reportId ?? null,
    adminId: user.id,
    staffEmails: c.get('settings').adminEmails,
    now: Date.now(),
  });
  if (!taken.ok) throw new Problem(taken.code);
  logMeasure('measure_taken', taken.measure, user.id);
  await namesFound(c, taken.measure);
  if (kind === 'account_suspended') c.executionCtx.waitUntil(hangUpAll(c, subjectId));
  return taken.measure;
}

/**
 * Takes a measure back for the calling admin.
 * @param appealId what it is taken back for, where that is decided by itself
 * @throws Problem `not_found`
 */
export async function takeBack(
  c: Context<ApiEnv>,
  id: string,
  appealId: string | null = null,
): Promise<Measure> {
  const { user } = await requireCaller(c);
  const db = c.get('db');
  const now = Date.now();
  const ended = await endMeasure(db, { id, adminId: user.id, now, appealId });
  if (ended === null) throw new Problem('not_found');
  // That it ends is a line in their account; where it had ended before, what it is about is only looked at.
  if (ended.ended_at !== new Date(now).toISOString()) {
    const { owner_id: ownerId, subject_id: subjectId } = ended;
    const what = subjectId === ownerId ? 'account' : 'character';
    await noteViews(db, { adminId: user.id, viewed: [{ ownerId, what, subjectId }], now });
  }
  logMeasure('measure_ended', ended, user.id);
  await namesFound(c, ended);
  return ended;
}

/** A character is found by the name that it has now. */
async function namesFound(c: Context<ApiEnv>, { kind, subject_id: id }: Measure): Promise<void> {
  if (kind === 'name_cleared') await makeSearchWords(c.get('db'), [id]);
}

/** Lets go of the open tabs of somebody who is suspended. */
async function hangUpAll(c: Context<ApiEnv>, userId: string): Promise<void> {
  const sessions = await sessionIdsOf(c.get('db'), { userId, limit: MAX_HUNG_UP });
  await Promise.allSettled(sessions.map((sessionPublicId) => hangUp(c, { userId, sessionPublicId })));
}
