import { Hono } from 'hono';
import {
  feedbackInbox,
  feedbackInboxQuery,
  feedbackReadBody,
  feedbackReadState,
} from '../../../features/feedback/contract.ts';
import { listFeedback, setFeedbackRead } from '../../../features/feedback/feedback-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { requireAdmin } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

/** The feedback that people sent to the site; 404 for everyone but staff. */
export const adminFeedback = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('List the feedback, newest first', { 200: feedbackInbox }),
    requireAdmin,
    validateRequest('query', feedbackInboxQuery),
    async (c) => c.json(await listFeedback(c.get('db'), c.req.valid('query'))),
  )
  .patch(
    '/:id',
    describeResponses('Mark feedback as read or unread', { 200: feedbackReadState }),
    requireAdmin,
    validateRequest('json', feedbackReadBody),
    async (c) => {
      const input = { id: c.req.param('id'), read: c.req.valid('json').read, now: Date.now() };
      const marked = await setFeedbackRead(c.get('db'), input);
      if (marked === null) throw new Problem('not_found');
      return c.json(marked);
    },
  );
