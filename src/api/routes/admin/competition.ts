import { Hono } from 'hono';
import { readBusiness } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { seasonOnWire } from '../../../features/competition/competition-view.ts';
import { seasonOf } from '../../../features/competition/competition.ts';
import {
  givenPrize,
  judged,
  judging,
  judgingQuery,
  markBody,
  prizePath,
} from '../../../features/competition/contract.ts';
import {
  entriesToJudge,
  judge,
  markGiven,
  prizesOfSeason,
} from '../../../features/competition/judging-store.ts';
import { findSeason, numberToJudge, seasonNumbers } from '../../../features/competition/season-store.ts';
import type { Context } from 'hono';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

async function seasonAsked(c: Context<ApiEnv>, asked: number | undefined) {
  const named = seasonOf(await readBusiness(c.env));
  const number = asked ?? (await numberToJudge(c.get('db'), Date.now()));
  const season = await findSeason(c.get('db'), { number, named });
  if (season === null) throw new Problem('not_found');
  return season;
}

/** The judges' part of the competition, and the operator's books of its prizes. */
export const adminCompetition = new Hono<ApiEnv>()
  .get(
    '/',
    answers('The entries to be judged, without their numbers, and the prizes', { 200: judging }),
    requireAdmin,
    valid('query', judgingQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { season: number, ...page } = c.req.valid('query');
      const season = await seasonAsked(c, number);
      const [list, prizes, seasons] = await Promise.all([
        entriesToJudge(c.get('db'), { season, judgeId: user.id, ...page }),
        prizesOfSeason(c.get('db'), season),
        seasonNumbers(c.get('db'), seasonOf(await readBusiness(c.env))),
      ]);
      return c.json({ season: seasonOnWire(season, Date.now()), seasons, ...list, prizes });
    },
  )
  .put(
    '/:character_id/creativity',
    answers('Give an entry one’s mark for creativity', { 200: judged }),
    requireAdmin,
    valid('json', markBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const characterId = c.req.param('character_id');
      const { mark } = c.req.valid('json');
      const done = await judge(c.get('db'), { characterId, judgeId: user.id, mark, now: Date.now() });
      if (done === null) throw new Problem('not_found');
      // Who gave what, and when: no mark is to move unseen.
      log('competition_judged', { admin_id: user.id, character_id: characterId, mark });
      return c.json({ character_id: characterId, mark, ...done });
    },
  )
  .post(
    '/prizes/:season/:prize/:place',
    answers('Write down that a prize was given', { 200: givenPrize }),
    requireAdmin,
    async (c) => {
      const { user } = await requireCaller(c);
      const path = prizePath.safeParse(c.req.param());
      if (!path.success) throw new Problem('not_found');
      const { season: number, prize, place } = path.data;
      const season = await seasonAsked(c, number);
      const given = await markGiven(c.get('db'), { season, prize, place, now: Date.now() });
      if (given === null) throw new Problem('not_found');
      log('prize_given', { admin_id: user.id, season: number, prize, place });
      return c.json(given);
    },
  );
