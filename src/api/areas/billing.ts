import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { plans } from '../routes/billing/plans.ts';
import { points } from '../routes/billing/points.ts';
import { subscription } from '../routes/billing/subscription.ts';

/** Routes for points and memberships. */
export const billingRoutes = new Hono<ApiEnv>()
  .route('/points', points)
  .route('/plans', plans)
  .route('/subscription', subscription);
