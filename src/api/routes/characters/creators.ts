import { Hono } from 'hono';
import { creatorProfile, creatorQuery } from '../../../features/character/contract.ts';
import { getCreatorProfile as readCreator } from '../../../features/character/creator-store.ts';
import { toViewer } from './characters.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

export const creators = new Hono<ApiEnv>().get(
  '/:id',
  describeResponses('Get a creator’s public profile and characters', { 200: creatorProfile }),
  validateRequest('query', creatorQuery),
  async (c) => {
    const viewer = toViewer(await c.get('caller')());
    const page = { ...c.req.valid('query'), staffEmails: c.get('settings').adminEmails };
    const profile = await readCreator(c.get('db'), c.req.param('id'), viewer, page);
    if (profile === null) throw new Problem('not_found');
    return c.json(profile);
  },
);
