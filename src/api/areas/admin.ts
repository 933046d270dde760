import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { adminAppeals } from '../routes/admin/appeals.ts';
import { adminCompetition } from '../routes/admin/competition.ts';
import { adminFeedback } from '../routes/admin/feedback.ts';
import { adminStats } from '../routes/admin/metrics.ts';
import { adminModeration } from '../routes/admin/moderation.ts';
import { adminPeople } from '../routes/admin/people.ts';
import { payouts } from '../routes/admin/payouts.ts';
import { pointGrants } from '../routes/admin/point-grants.ts';
import { adminReports } from '../routes/admin/reports.ts';
import { adminRuntimeConfig } from '../routes/admin/runtime-config.ts';

/** Routes for staff. */
export const adminRoutes = new Hono<ApiEnv>()
  .route('/admin', adminModeration)
  .route('/admin', adminPeople)
  .route('/admin/feedback', adminFeedback)
  .route('/admin/reports', adminReports)
  .route('/admin/appeals', adminAppeals)
  .route('/admin/payouts', payouts)
  .route('/admin/gifts', pointGrants)
  .route('/admin', adminRuntimeConfig)
  .route('/admin/competition', adminCompetition)
  .route('/admin/stats', adminStats);
