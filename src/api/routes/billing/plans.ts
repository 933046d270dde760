import { Hono } from 'hono';
import { plans as plansBody } from '../../../features/billing/contract.ts';
import { plansOf } from '../../../features/billing/plans.ts';
import { readBusiness } from '../../../features/runtime-config/runtime-config-gateway.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';

export const plans = new Hono<ApiEnv>().get(
  '/',
  answers('What there is, what it costs and what it brings', { 200: plansBody }),
  async (c) => {
    const { paypal } = c.get('settings');
    const business = await readBusiness(c.env);
    const planId = business.storyteller_paypal_plan ?? paypal?.planStoryteller ?? null;
    return c.json({ items: plansOf(business, paypal === undefined ? null : planId) });
  },
);
