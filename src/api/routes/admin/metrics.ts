import { Hono } from 'hono';
import { countedModels } from '../../../features/model/choice.ts';
import { stats, statsQuery } from '../../../features/stats/contract.ts';
import { dayOf, tellStats } from '../../../features/stats/metrics.ts';
import { readFigures } from '../../../features/stats/metrics-store.ts';
import {
  referrals,
  type ReferralsQuery,
  referralsQuery,
} from '../../../features/stats/referrals-contract.ts';
import { readReferrals } from '../../../features/stats/referrals-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAdmin } from '../../middleware/guards.ts';
import { valid } from '../../middleware/validate.ts';

/** The first and the last day of what is asked for, since the epoch. */
function daysOf({ year, from, to }: ReferralsQuery, now: number): { from: number; to: number } {
  if (from !== undefined && to !== undefined)
    return { from: dayOf(Date.parse(from)), to: dayOf(Date.parse(to)) };
  const of = year ?? new Date(now).getUTCFullYear();
  return { from: dayOf(Date.UTC(of, 0, 1)), to: dayOf(Date.UTC(of, 11, 31)) };
}

/** The operator's figures: counts that were made before, of nobody and of no words. */
export const adminStats = new Hono<ApiEnv>()
  .get(
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
  )
  .get(
    '/referrals',
    answers('How often people were shown where help is, in a calendar year or between any two days', {
      200: referrals,
    }),
    requireAdmin,
    valid('query', referralsQuery),
    async (c) => {
      const now = Date.now();
      const days = daysOf(c.req.valid('query'), now);
      return c.json(await readReferrals(c.get('db'), { ...days, today: dayOf(now) }));
    },
  );
