import { Hono } from 'hono';
import { plans as plansBody } from '../../../features/billing/contract.ts';
import { buildPlans } from '../../../features/billing/plans.ts';
import { readRuntimeConfig } from '../../../features/runtime-config/runtime-config-gateway.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

export const plans = new Hono<ApiEnv>().get(
  '/',
  describeResponses('List the plans with their prices, features and limits', { 200: plansBody }),
  async (c) => {
    const { paypal } = c.get('settings');
    const business = await readRuntimeConfig(c.env);
    const planId = business.storyteller_paypal_plan ?? paypal?.planStoryteller ?? null;
    return c.json({ items: buildPlans(business, paypal === undefined ? null : planId) });
  },
);
