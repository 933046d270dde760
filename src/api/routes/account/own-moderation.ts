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
  subject_id: z.string().max(64).optional().describe('Of this character, or account, alone'),
});

/** The caller's reports and appeals, the moderation actions against them, and staff's access to their content. */
export const ownModeration = new Hono<ApiEnv>()
  .get(
    '/reports',
    describeResponses('What one reported, and what came of it', { 200: ownReportList }),
    validateRequest('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await listOwnReports(c.get('db'), { reporterId: user.id, ...c.req.valid('query') }));
    },
  )
  .get(
    '/measures',
    describeResponses('What staff did about one’s own, and why', { 200: ownModerationActionList }),
    validateRequest('query', moderationActionsQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { subject_id: subjectId, ...page } = c.req.valid('query');
      return c.json(await listOwnModerationActions(c.get('db'), { ownerId: user.id, subjectId, ...page }));
    },
  )
  .get(
    '/appeals',
    describeResponses('What one appealed against, and what came of it', { 200: ownAppealList }),
    validateRequest('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await listOwnAppeals(c.get('db'), { userId: user.id, ...c.req.valid('query') }));
    },
  )
  .get(
    '/staff-views',
    describeResponses('What staff was shown of one’s own that is not public', { 200: staffViewList }),
    validateRequest('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await listStaffViews(c.get('db'), { ownerId: user.id, ...c.req.valid('query') }));
    },
  );
