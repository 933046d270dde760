import type { Database } from '../db/open.ts';
import { buildSearchWords } from '../features/character/discovery/search-words-store.ts';
import { listSessionIds } from '../features/account/session/session-store.ts';
import type {
  ModerationAction,
  ModerationActionBody,
} from '../features/moderation/moderation-action-contract.ts';
import { insertModerationAction } from '../features/moderation/moderation-action-apply-store.ts';
import { endModerationAction } from '../features/moderation/moderation-action-revoke-store.ts';
import { isReportAbout } from '../features/moderation/report-store.ts';
import { recordStaffViews } from '../features/moderation/staff-store.ts';
import { refuse, type Result, type ServiceContext, succeed } from './context.ts';
import { closeSessionConnections } from './close-session-connections.ts';
import { log } from '../lib/log.ts';

/** Sessions whose connections are closed at once; those of the others close by themselves. */
const MAX_CLOSED_SESSIONS = 10;

/** Logs an action by staff, so that the operator can trace and revert it. The reason is stored in the action only. */
export function logModerationAction(
  event: 'moderation_action_applied' | 'moderation_action_revoked',
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
): Promise<Result<ModerationAction, 'not_found' | 'forbidden' | 'nothing_to_remove'>> {
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
  logModerationAction('moderation_action_applied', result.measure, adminId);
  await reindexClearedName(db, result.measure);
  if (kind === 'account_suspended') execution.waitUntil(closeUserConnections(context, subjectId));
  return succeed(result.measure);
}

/**
 * Revokes a moderation action for an admin.
 * @param appealId the granted appeal, if there is one
 */
export async function revokeModerationAction(
  { db }: Pick<ServiceContext, 'db'>,
  { adminId, id, appealId = null }: { adminId: string; id: string; appealId?: string | null },
): Promise<Result<ModerationAction, 'not_found'>> {
  const now = Date.now();
  const revoked = await endModerationAction(db, { id, adminId, now, appealId });
  if (revoked === null) return refuse('not_found');
  // The user sees a revocation in the account. If the action had ended before, record this call as staff access instead.
  if (revoked.ended_at !== new Date(now).toISOString()) {
    const { owner_id: ownerId, subject_id: subjectId } = revoked;
    const resourceType = subjectId === ownerId ? 'account' : 'character';
    await recordStaffViews(db, { adminId, viewed: [{ ownerId, resourceType, resourceId: subjectId }], now });
  }
  logModerationAction('moderation_action_revoked', revoked, adminId);
  await reindexClearedName(db, revoked);
  return succeed(revoked);
}

/** Updates the search words after a name was cleared or restored. */
async function reindexClearedName(db: Database, { kind, subject_id: id }: ModerationAction): Promise<void> {
  if (kind === 'name_cleared') await buildSearchWords(db, [id]);
}

/** Closes the connections of a suspended user. */
async function closeUserConnections(context: ServiceContext, userId: string): Promise<void> {
  const sessions = await listSessionIds(context.db, { userId, limit: MAX_CLOSED_SESSIONS });
  await Promise.allSettled(
    sessions.map((sessionPublicId) => closeSessionConnections(context, { userId, sessionPublicId })),
  );
}
