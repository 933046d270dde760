import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { turns } from '../routes/conversations/turns.ts';

/** Routes for turns. A Worker's start reads these alone, so that its first reply begins sooner. */
export const turnsRoutes = new Hono<ApiEnv>().route('/conversations', turns);
