import { Hono } from 'hono';
import { z } from 'zod';
import packageInfo from '../../../../package.json' with { type: 'json' };
import { log } from '../../../lib/log.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { Problem } from '../../middleware/problems.ts';
import { probeDependencies, listFailedDependencies } from '../../../services/health-probes.ts';

const healthy = z.object({ ok: z.literal(true), version: z.string() });

/**
 * Health check for external monitoring: 200 when every store answers in time, else 503 with the names of the failed ones.
 */
export const health = new Hono<ApiEnv>().get(
  '/',
  describeResponses('Check whether all data stores respond', { 200: healthy }),
  async (c) => {
    const failed = listFailedDependencies(await probeDependencies(c.env));
    if (failed.length === 0) return c.json({ ok: true as const, version: packageInfo.version });
    log('health_failed', { failed });
    throw new Problem('dependencies_down', { failed });
  },
);
