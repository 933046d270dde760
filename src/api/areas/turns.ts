import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { turns } from '../routes/conversations/turns.ts';

/** Routes for turns. An isolate that starts for a message reads these alone, so that its reply begins sooner. */
export const turnsRoutes = new Hono<ApiEnv>().route('/conversations', turns);
