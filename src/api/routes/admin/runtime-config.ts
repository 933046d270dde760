import { Hono } from 'hono';
import { toRuntimeConfigView } from '../../../features/runtime-config/runtime-config.ts';
import {
  updateRuntimeConfig,
  getStoredRuntimeConfig,
} from '../../../features/runtime-config/runtime-config-gateway.ts';
import { runtimeConfigChange, runtimeConfigView } from '../../../features/runtime-config/contract.ts';
import { buildPurgeAllPagesStatement } from '../../../services/purge-on-config-change.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

/** Reads and changes the business constants. */
export const adminRuntimeConfig = new Hono<ApiEnv>()
  .get(
    '/business',
    describeResponses('Get the business constants and their defaults', { 200: runtimeConfigView }),
    requireAdmin,
    async (c) => c.json(toRuntimeConfigView(await getStoredRuntimeConfig(c.env))),
  )
  .put(
    '/business',
    describeResponses('Change business constants; takes effect everywhere within a minute', {
      200: runtimeConfigView,
    }),
    requireAdmin,
    validateRequest('json', runtimeConfigChange),
    async (c) => {
      const { user } = await requireCaller(c);
      const change = c.req.valid('json');
      const now = Date.now();
      const changed = await updateRuntimeConfig(c.env, change, now);
      if (!changed.ok) throw new Problem('invalid_input', { fields: changed.wrong });
      // Log the admin and the previous values, so that the operator can revert.
      const { before, kept } = changed;
      const names = Object.keys(change) as (keyof typeof change)[];
      log('runtime_config_changed', {
        admin_id: user.id,
        before: Object.fromEntries(names.map((name) => [name, before[name]])),
        after: Object.fromEntries(names.map((name) => [name, kept.business[name]])),
      });
      await buildPurgeAllPagesStatement(c.get('db'), now);
      return c.json(toRuntimeConfigView(kept));
    },
  );
