import { type Context, Hono } from 'hono';
import {
  queuedReport,
  type ReportCase,
  reportCase,
  reportDecision,
  reportQueue,
  reportQueueQuery,
} from '../../../features/moderation/report-contract.ts';
import {
  decideReport,
  findReport,
  readReportedCharacter,
  listReportQueue as readQueue,
  toCaseCharacter,
} from '../../../features/moderation/report-store.ts';
import { listModerationActionsAgainst } from '../../../features/moderation/moderation-action-store.ts';
import {
  recordCaseViews,
  readCasePerson,
  listCaseSteps,
  type StaffAccess,
} from '../../../features/moderation/staff-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** The queue of reports. The queue shows nothing private; opening a case is recorded as staff access. */
export const adminReports = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('List the reports in the queue', { 200: reportQueue }),
    requireAdmin,
    validateRequest('query', reportQueueQuery),
    async (c) => c.json(await readQueue(c.get('db'), c.req.valid('query'))),
  )
  .get(
    '/:id',
    describeResponses('Get one report with its subject; the affected users can see that staff viewed it', {
      200: reportCase,
    }),
    requireAdmin,
    async (c) => c.json(await openReportCase(c, c.req.param('id'))),
  )
  .patch(
    '/:id',
    describeResponses('Decide a report, or reopen it', { 200: queuedReport }),
    requireAdmin,
    validateRequest('json', reportDecision),
    async (c) => {
      const { user } = await requireCaller(c);
      const decision = c.req.valid('json');
      const input = { id: c.req.param('id'), decision, adminId: user.id, now: Date.now() };
      const decided = await decideReport(c.get('db'), input);
      if (decided === null) throw new Problem('not_found');
      return c.json(decided);
    },
  );

/** Reads a report with everything that it refers to. Records the staff access before anything is returned. */
async function openReportCase(c: Context<ApiEnv>, id: string): Promise<ReportCase> {
  const { user } = await requireCaller(c);
  const db = c.get('db');
  const found = await findReport(db, id);
  if (found === null) throw new Problem('not_found');
  const { queued, details, excerpt, reporterId, ownerId } = found;
  const { character_id: characterId, subject_id: subjectId } = queued;
  const [about, reporter, owner, history] = await Promise.all([
    characterId === null ? null : readReportedCharacter(db, characterId),
    readCasePerson(db, reporterId),
    ownerId === null ? null : readCasePerson(db, ownerId),
    listCaseSteps(db, id),
  ]);
  const viewed: StaffAccess[] = [{ ownerId: reporterId, resourceType: 'report', resourceId: id }];
  if (queued.subject === 'message')
    viewed.push({ ownerId: reporterId, resourceType: 'message', resourceId: subjectId });
  if (about !== null && !about.isPublic)
    viewed.push({ ownerId: about.ownerId, resourceType: 'character', resourceId: about.character.id });
  await recordCaseViews(db, { adminId: user.id, viewed, now: Date.now() });
  const subjectIds = [subjectId, characterId, ownerId].filter((one) => one !== null);
  return {
    ...queued,
    name: about?.character.name ?? queued.name,
    details,
    excerpt,
    reporter,
    owner,
    character: toCaseCharacter(about),
    measures: await listModerationActionsAgainst(db, [...new Set(subjectIds)]),
    history,
  };
}
