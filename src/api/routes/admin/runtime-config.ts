import { Hono } from 'hono';
import { viewOf } from '../../../features/runtime-config/runtime-config.ts';
import { changeBusiness, keptBusiness } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { businessChange, businessView } from '../../../features/runtime-config/contract.ts';
import { everyPageToMark } from '../../../services/purge-on-config-change.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

/** The constants of the business, for the operator's own people. */
export const adminBusiness = new Hono<ApiEnv>()
  .get(
    '/business',
    answers('The constants of the business', { 200: businessView }),
    requireAdmin,
    async (c) => c.json(viewOf(await keptBusiness(c.env))),
  )
  .put(
    '/business',
    answers('Change constants of the business, in force everywhere within a minute', { 200: businessView }),
    requireAdmin,
    valid('json', businessChange),
    async (c) => {
      const { user } = await requireCaller(c);
      const change = c.req.valid('json');
      const now = Date.now();
      const changed = await changeBusiness(c.env, change, now);
      if (!changed.ok) throw new Problem('invalid_input', { fields: changed.wrong });
      // Who set what, and what it was before: for the operator to go back to.
      const { before, kept } = changed;
      const names = Object.keys(change) as (keyof typeof change)[];
      log('business_changed', {
        admin_id: user.id,
        before: Object.fromEntries(names.map((name) => [name, before[name]])),
        after: Object.fromEntries(names.map((name) => [name, kept.business[name]])),
      });
      await everyPageToMark(c.get('db'), now);
      return c.json(viewOf(kept));
    },
  );
