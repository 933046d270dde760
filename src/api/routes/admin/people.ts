import { Hono } from 'hono';
import {
  featuredBody,
  featuredCharacters,
  featuredState,
  foundPeople,
  peopleQuery,
} from '../../../features/moderation/people-contract.ts';
import { findPeople, listFeatured, setFeatured } from '../../../features/moderation/people-store.ts';
import { recordStaffViews } from '../../../features/moderation/staff-store.ts';
import { log } from '../../../lib/log.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

/** The search for users, and the featured characters; 404 for everyone but staff. */
export const adminPeople = new Hono<ApiEnv>()
  .get(
    '/people',
    describeResponses(
      'Find users by email address, username or id; a user who is found by email address can see it',
      { 200: foundPeople },
    ),
    requireAdmin,
    validateRequest('query', peopleQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const { q } = c.req.valid('query');
      const found = await findPeople(db, q);
      // The answer says whose address it is, which is not public.
      if (q.includes('@')) {
        const viewed = found.items.map(({ id }) => ({
          ownerId: id,
          resourceType: 'account' as const,
          resourceId: id,
        }));
        await recordStaffViews(db, { adminId: user.id, viewed, now: Date.now() });
      }
      return c.json(found);
    },
  )
  .get(
    '/featured',
    describeResponses('List the featured characters that are public', { 200: featuredCharacters }),
    requireAdmin,
    async (c) => c.json(await listFeatured(c.get('db'))),
  )
  .put(
    '/characters/:id/featured',
    describeResponses('Feature a public character, or end that', { 200: featuredState }),
    requireAdmin,
    validateRequest('json', featuredBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const id = c.req.param('id');
      const { featured } = c.req.valid('json');
      if (!(await setFeatured(c.get('db'), { id, featured, now: Date.now() })))
        throw new Problem('not_found');
      log('character_featured', { admin_id: user.id, character_id: id, after: featured });
      return c.json({ id, featured });
    },
  );
