import { Hono } from 'hono';
import { z } from 'zod';
import { ownAppealList } from '../../../features/moderation/appeal-contract.ts';
import { listOwnAppeals } from '../../../features/moderation/appeal-store.ts';
import { ownModerationActionList } from '../../../features/moderation/moderation-action-contract.ts';
import { listOwnModerationActions } from '../../../features/moderation/moderation-action-store.ts';
import { ownReportList } from '../../../features/moderation/report-contract.ts';
import { listOwnReports } from '../../../features/moderation/report-store.ts';
import { ownListQuery, staffViewList } from '../../../features/moderation/staff-contract.ts';
import { listStaffViews } from '../../../features/moderation/staff-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { validateRequest } from '../../middleware/validate.ts';

const moderationActionsQuery = ownListQuery.extend({
  subject_id: z.string().max(64).optional().describe('Limits the list to this character or account'),
});

/** The caller's reports and appeals, the moderation actions against them, and staff's access to their content. */
export const ownModeration = new Hono<ApiEnv>()
  .get(
    '/reports',
    describeResponses('List the user’s reports and their outcomes, newest first', { 200: ownReportList }),
    validateRequest('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await listOwnReports(c.get('db'), { reporterId: user.id, ...c.req.valid('query') }));
    },
  )
  .get(
    '/measures',
    describeResponses('List the moderation actions that affect the user, with their reasons, newest first', {
      200: ownModerationActionList,
    }),
    validateRequest('query', moderationActionsQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { subject_id: subjectId, ...page } = c.req.valid('query');
      return c.json(await listOwnModerationActions(c.get('db'), { ownerId: user.id, subjectId, ...page }));
    },
  )
  .get(
    '/appeals',
    describeResponses('List the user’s appeals and their outcomes, newest first', { 200: ownAppealList }),
    validateRequest('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await listOwnAppeals(c.get('db'), { userId: user.id, ...c.req.valid('query') }));
    },
  )
  .get(
    '/staff-views',
    describeResponses('List when staff viewed private data of the user, newest first', {
      200: staffViewList,
    }),
    validateRequest('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await listStaffViews(c.get('db'), { ownerId: user.id, ...c.req.valid('query') }));
    },
  );
