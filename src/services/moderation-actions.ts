import type { Database } from '../db/open.ts';
import { buildSearchWords } from '../features/character/discovery/search-words-store.ts';
import { listSessionIds } from '../features/account/session-store.ts';
import type {
  ModerationAction,
  ModerationActionBody,
} from '../features/moderation/moderation-action-contract.ts';
import {
  endModerationAction,
  insertModerationAction,
} from '../features/moderation/moderation-action-apply-store.ts';
import { isReportAbout } from '../features/moderation/report-store.ts';
import { recordStaffViews } from '../features/moderation/staff-store.ts';
import { refuse, type Result, type ServiceContext, succeed } from './context.ts';
import { closeSessionSockets } from './close-session-sockets.ts';
import { log } from '../lib/log.ts';

/** Sessions whose open tabs are let go of at once; those of others are when they would be told something. */
const MAX_CLOSED_SESSIONS = 10;

/** Who did what, and to what: for the operator to go back to. Why is in the measure, for whoever it concerns. */
export function logModerationAction(
  event: 'measure_taken' | 'measure_ended',
  measure: ModerationAction,
  adminId: string,
): void {
  const { id, kind, subject_id } = measure;
  log(event, { admin_id: adminId, measure_id: id, kind, subject_id });
}

/** Applies a moderation action for an admin. */
export async function applyModerationAction(
  context: ServiceContext,
  adminId: string,
  { kind, subject_id: subjectId, reason, report_id: reportId }: ModerationActionBody,
): Promise<Result<ModerationAction, 'not_found' | 'forbidden' | 'nothing_to_take'>> {
  const { db, settings, execution } = context;
  if (reportId !== undefined && !(await isReportAbout(db, { id: reportId, subjectId })))
    return refuse('not_found');
  const result = await insertModerationAction(db, {
    kind,
    subjectId,
    reason,
    reportId: reportId ?? null,
    adminId,
    staffEmails: settings.adminEmails,
    now: Date.now(),
  });
  if (!result.ok) return refuse(result.code);
  logModerationAction('measure_taken', result.measure, adminId);
  await reindexClearedName(db, result.measure);
  if (kind === 'account_suspended') execution.waitUntil(closeUserSockets(context, subjectId));
  return succeed(result.measure);
}

/**
 * Revokes a moderation action for an admin.
 * @param appealId the appeal that was granted, where one was
 */
export async function revokeModerationAction(
  { db }: Pick<ServiceContext, 'db'>,
  { adminId, id, appealId = null }: { adminId: string; id: string; appealId?: string | null },
): Promise<Result<ModerationAction, 'not_found'>> {
  const now = Date.now();
  const revoked = await endModerationAction(db, { id, adminId, now, appealId });
  if (revoked === null) return refuse('not_found');
  // That it ends is a line in their account; where it had ended before, what it is about is only looked at.
  if (revoked.ended_at !== new Date(now).toISOString()) {
    const { owner_id: ownerId, subject_id: subjectId } = revoked;
    const what = subjectId === ownerId ? 'account' : 'character';
    await recordStaffViews(db, { adminId, viewed: [{ ownerId, what, subjectId }], now });
  }
  logModerationAction('measure_ended', revoked, adminId);
  await reindexClearedName(db, revoked);
  return succeed(revoked);
}

/** A character is found by the name that it has now. */
async function reindexClearedName(db: Database, { kind, subject_id: id }: ModerationAction): Promise<void> {
  if (kind === 'name_cleared') await buildSearchWords(db, [id]);
}

/** Lets go of the open tabs of somebody who is suspended. */
async function closeUserSockets(context: ServiceContext, userId: string): Promise<void> {
  const sessions = await listSessionIds(context.db, { userId, limit: MAX_CLOSED_SESSIONS });
  await Promise.allSettled(
    sessions.map((sessionPublicId) => closeSessionSockets(context, { userId, sessionPublicId })),
  );
}
