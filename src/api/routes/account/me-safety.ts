import { Hono } from 'hono';
import { z } from 'zod';
import { ownAppealList } from '../../../features/moderation/appeal-contract.ts';
import { appealsOf } from '../../../features/moderation/appeal-store.ts';
import { ownMeasureList } from '../../../features/moderation/moderation-action-contract.ts';
import { measuresOf } from '../../../features/moderation/moderation-action-store.ts';
import { ownReportList } from '../../../features/moderation/report-contract.ts';
import { reportsOf } from '../../../features/moderation/report-store.ts';
import { ownListQuery, staffViewList } from '../../../features/moderation/staff-contract.ts';
import { viewsOf } from '../../../features/moderation/staff-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { valid } from '../../middleware/validate.ts';

const measuresQuery = ownListQuery.extend({
  subject_id: z.string().max(64).optional().describe('Of this character, or account, alone'),
});

/** What one reported and appealed against, what staff decided about one's own, and what staff looked at. */
export const meSafety = new Hono<ApiEnv>()
  .get(
    '/reports',
    answers('What one reported, and what came of it', { 200: ownReportList }),
    valid('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await reportsOf(c.get('db'), { reporterId: user.id, ...c.req.valid('query') }));
    },
  )
  .get(
    '/measures',
    answers('What staff did about one’s own, and why', { 200: ownMeasureList }),
    valid('query', measuresQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { subject_id: subjectId, ...page } = c.req.valid('query');
      return c.json(await measuresOf(c.get('db'), { ownerId: user.id, subjectId, ...page }));
    },
  )
  .get(
    '/appeals',
    answers('What one appealed against, and what came of it', { 200: ownAppealList }),
    valid('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await appealsOf(c.get('db'), { userId: user.id, ...c.req.valid('query') }));
    },
  )
  .get(
    '/staff-views',
    answers('What staff was shown of one’s own that is not public', { 200: staffViewList }),
    valid('query', ownListQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await viewsOf(c.get('db'), { ownerId: user.id, ...c.req.valid('query') }));
    },
  );
