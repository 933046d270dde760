import { Hono } from 'hono';
import { readRuntimeConfig } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { toSeasonView } from '../../../features/competition/competition-view.ts';
import { getConfiguredSeason } from '../../../features/competition/competition.ts';
import {
  awardedPrize,
  judgeScoreResponse,
  judging,
  judgingQuery,
  judgeScoreBody,
  prizePath,
} from '../../../features/competition/contract.ts';
import {
  listEntriesToJudge,
  recordJudgeScore,
  recordPrizeAwarded,
  listPrizes,
} from '../../../features/competition/judging-store.ts';
import {
  findSeason,
  getSeasonToJudge,
  listSeasonNumbers,
} from '../../../features/competition/season-store.ts';
import type { Context } from 'hono';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

async function requireSeason(c: Context<ApiEnv>, asked: number | undefined) {
  const named = getConfiguredSeason(await readRuntimeConfig(c.env));
  const number = asked ?? (await getSeasonToJudge(c.get('db'), Date.now()));
  const season = await findSeason(c.get('db'), { number, named });
  if (season === null) throw new Problem('not_found');
  return season;
}

/** Judging of the competition, and records of awarded prizes. */
export const adminCompetition = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('List the entries to judge, without user counts, and the prizes of the season', {
      200: judging,
    }),
    requireAdmin,
    validateRequest('query', judgingQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { season: number, ...page } = c.req.valid('query');
      const season = await requireSeason(c, number);
      const [list, prizes, seasons] = await Promise.all([
        listEntriesToJudge(c.get('db'), { season, judgeId: user.id, ...page }),
        listPrizes(c.get('db'), season),
        listSeasonNumbers(c.get('db'), getConfiguredSeason(await readRuntimeConfig(c.env))),
      ]);
      return c.json({ season: toSeasonView(season, Date.now()), seasons, ...list, prizes });
    },
  )
  .put(
    '/:character_id/creativity',
    describeResponses('Set the caller’s creativity mark for an entry', { 200: judgeScoreResponse }),
    requireAdmin,
    validateRequest('json', judgeScoreBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const characterId = c.req.param('character_id');
      const { mark } = c.req.valid('json');
      const done = await recordJudgeScore(c.get('db'), {
        characterId,
        judgeId: user.id,
        mark,
        now: Date.now(),
      });
      if (done === null) throw new Problem('not_found');
      // Log every mark with its judge, so that changes can be traced.
      log('competition_judged', { admin_id: user.id, character_id: characterId, mark });
      return c.json({ character_id: characterId, mark, ...done });
    },
  )
  .post(
    '/prizes/:season/:prize/:place',
    describeResponses('Record that a prize was handed over', { 200: awardedPrize }),
    requireAdmin,
    async (c) => {
      const { user } = await requireCaller(c);
      const path = prizePath.safeParse(c.req.param());
      if (!path.success) throw new Problem('not_found');
      const { season: number, prize, place } = path.data;
      const season = await requireSeason(c, number);
      const given = await recordPrizeAwarded(c.get('db'), { season, prize, place, now: Date.now() });
      if (given === null) throw new Problem('not_found');
      log('prize_awarded', { admin_id: user.id, season: number, prize, place });
      return c.json(given);
    },
  );
