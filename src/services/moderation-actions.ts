import type { Database } from '../db/open.ts';
import { makeSearchWords } from '../features/character/discovery/search-words-store.ts';
import { sessionIdsOf } from '../features/account/session-store.ts';
import type { Measure, MeasureBody } from '../features/moderation/moderation-action-contract.ts';
import { endMeasure, takeMeasure } from '../features/moderation/moderation-action-apply-store.ts';
import { isReportOf } from '../features/moderation/report-store.ts';
import { noteViews } from '../features/moderation/staff-store.ts';
import { refuse, type Result, type ServiceContext, succeed } from './context.ts';
import { hangUp } from './close-session-sockets.ts';
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

/** Applies a moderation action for an admin. */
export async function take(
  context: ServiceContext,
  adminId: string,
  { kind, subject_id: subjectId, reason, report_id: reportId }: MeasureBody,
): Promise<Result<Measure, 'not_found' | 'forbidden' | 'nothing_to_take'>> {
  const { db, settings, execution } = context;
  if (reportId !== undefined && !(await isReportOf(db, { id: reportId, subjectId })))
    return refuse('not_found');
  const taken = await takeMeasure(db, {
    kind,
    subjectId,
    reason,
    reportId: reportId ?? null,
    adminId,
    staffEmails: settings.adminEmails,
    now: Date.now(),
  });
  if (!taken.ok) return refuse(taken.code);
  logMeasure('measure_taken', taken.measure, adminId);
  await namesFound(db, taken.measure);
  if (kind === 'account_suspended') execution.waitUntil(hangUpAll(context, subjectId));
  return succeed(taken.measure);
}

/**
 * Revokes a moderation action for an admin.
 * @param appealId the appeal that was granted, where one was
 */
export async function takeBack(
  { db }: Pick<ServiceContext, 'db'>,
  { adminId, id, appealId = null }: { adminId: string; id: string; appealId?: string | null },
): Promise<Result<Measure, 'not_found'>> {
  const now = Date.now();
  const ended = await endMeasure(db, { id, adminId, now, appealId });
  if (ended === null) return refuse('not_found');
  // That it ends is a line in their account; where it had ended before, what it is about is only looked at.
  if (ended.ended_at !== new Date(now).toISOString()) {
    const { owner_id: ownerId, subject_id: subjectId } = ended;
    const what = subjectId === ownerId ? 'account' : 'character';
    await noteViews(db, { adminId, viewed: [{ ownerId, what, subjectId }], now });
  }
  logMeasure('measure_ended', ended, adminId);
  await namesFound(db, ended);
  return succeed(ended);
}

/** A character is found by the name that it has now. */
async function namesFound(db: Database, { kind, subject_id: id }: Measure): Promise<void> {
  if (kind === 'name_cleared') await makeSearchWords(db, [id]);
}

/** Lets go of the open tabs of somebody who is suspended. */
async function hangUpAll(context: ServiceContext, userId: string): Promise<void> {
  const sessions = await sessionIdsOf(context.db, { userId, limit: MAX_HUNG_UP });
  await Promise.allSettled(sessions.map((sessionPublicId) => hangUp(context, { userId, sessionPublicId })));
}
