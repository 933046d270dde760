import { Hono } from 'hono';
import { listOfferedModels } from '../../../features/model/choose-model.ts';
import { stats, statsQuery } from '../../../features/stats/contract.ts';
import { toDayNumber, buildStats } from '../../../features/stats/metrics.ts';
import { readMetrics } from '../../../features/stats/metrics-store.ts';
import {
  referrals,
  type ReferralsQuery,
  referralsQuery,
} from '../../../features/stats/referrals-contract.ts';
import { readReferrals } from '../../../features/stats/referrals-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin } from '../../middleware/guards.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Returns the first and last day of the query, counted since the epoch. */
function parseDayRange({ year, from, to }: ReferralsQuery, now: number): { from: number; to: number } {
  if (from !== undefined && to !== undefined)
    return { from: toDayNumber(Date.parse(from)), to: toDayNumber(Date.parse(to)) };
  const of = year ?? new Date(now).getUTCFullYear();
  return { from: toDayNumber(Date.UTC(of, 0, 1)), to: toDayNumber(Date.UTC(of, 11, 31)) };
}

/** The operator's metrics, from stored counts without users or texts. */
export const adminStats = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('Get metrics by day and by model: users, messages, tokens, revenue and costs', {
      200: stats,
    }),
    requireAdmin,
    validateRequest('query', statsQuery),
    async (c) => {
      const { days } = c.req.valid('query');
      const today = toDayNumber(Date.now());
      const models = listOfferedModels(c.get('settings').models);
      const stored = await readMetrics(c.get('db'), { modelIds: models.map(({ id }) => id), today, days });
      return c.json(buildStats(stored, models, { today, days }));
    },
  )
  .get(
    '/referrals',
    describeResponses('Get how often crisis helplines were shown in a calendar year or a range of days', {
      200: referrals,
    }),
    requireAdmin,
    validateRequest('query', referralsQuery),
    async (c) => {
      const now = Date.now();
      const days = parseDayRange(c.req.valid('query'), now);
      return c.json(await readReferrals(c.get('db'), { ...days, today: toDayNumber(now) }));
    },
  );
