import { Hono } from 'hono';
import { countedModels } from '../features/model/choice.ts';
import { stats, statsQuery } from '../features/stats/contract.ts';
import { dayOf, tellStats } from '../features/stats/figures.ts';
import { readFigures } from '../features/stats/figures-store.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireAdmin } from './guards.ts';
import { valid } from './valid.ts';

/** The operator's figures: counts that were made before, of nobody and of no words. */
export const adminStats = new Hono<ApiEnv>().get(
  '/',
  answers('How many people, messages, tokens and cents there were, by day and by model', { 200: stats }),
  requireAdmin,
  valid('query', statsQuery),
  async (c) => {
    const { days } = c.req.valid('query');
    const today = dayOf(Date.now());
    const models = countedModels(c.get('settings').models);
    const kept = await readFigures(c.get('db'), { modelIds: models.map(({ id }) => id), today, days });
    return c.json(tellStats(kept, models, { today, days }));
  },
);
