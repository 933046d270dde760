import { Hono } from 'hono';
import { statusView } from '../../../features/status/contract.ts';
import { readStatus } from '../../../features/status/status-gateway.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

export const status = new Hono<ApiEnv>().get(
  '/',
  describeResponses('Get the current and recent status of the site from its own checks', { 200: statusView }),
  async (c) => {
    const view = await readStatus(c.env, Date.now());
    // Equal for all clients and updated every few minutes. No stale-if-error: an old status would claim that all is well.
    c.header('cache-control', 'public, max-age=60, stale-if-error=0');
    return c.json(view);
  },
);
