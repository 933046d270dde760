import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { appeals } from '../routes/site/appeals.ts';
import { competition } from '../routes/site/competition.ts';
import { feedback } from '../routes/site/feedback.ts';
import { health } from '../routes/site/health.ts';
import { pageViews } from '../routes/site/page-views.ts';
import { status } from '../routes/site/status.ts';

/** Routes for the site as a whole. */
export const siteRoutes = new Hono<ApiEnv>()
  .route('/appeals', appeals)
  .route('/competition', competition)
  .route('/feedback', feedback)
  .route('/page-views', pageViews)
  .route('/status', status)
  .route('/health', health);
