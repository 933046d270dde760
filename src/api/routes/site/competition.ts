import { Hono } from 'hono';
import { readRuntimeConfig } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { buildCompetitionView, toSeasonView } from '../../../features/competition/competition-view.ts';
import { getConfiguredSeason } from '../../../features/competition/competition.ts';
import {
  competition as competitionShape,
  competitionQuery,
  ownEntries,
  ownEntriesQuery,
} from '../../../features/competition/contract.ts';
import { findSeason, listSeasonNumbers, saveSeason } from '../../../features/competition/season-store.ts';
import {
  listStandings,
  listOwnEntries,
  listWinners,
  setEntryWithdrawn,
} from '../../../features/competition/standings-store.ts';
import type { Context } from 'hono';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Withdraws the caller's character from the competition, or enters it again. */
async function setWithdrawn(c: Context<ApiEnv>, isOut: boolean): Promise<void> {
  const { user } = await requireAccount(c);
  const [db, now] = [c.get('db'), Date.now()];
  // Create the season first: the first withdrawal can come before any update of the standings.
  await saveSeason(db, getConfiguredSeason(await readRuntimeConfig(c.env)), now);
  const characterId = c.req.param('character_id') ?? '';
  if (!(await setEntryWithdrawn(db, { characterId, creatorId: user.id, isOut, now })))
    throw new Problem('not_found');
}

/** The competition: the public page, and creators' own entries. */
export const competition = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('Get a season of the competition with its dates, prizes and standings', {
      200: competitionShape,
    }),
    validateRequest('query', competitionQuery),
    async (c) => {
      const db = c.get('db');
      const { season: number, ...page } = c.req.valid('query');
      const staffEmails = c.get('settings').adminEmails;
      const named = getConfiguredSeason(await readRuntimeConfig(c.env));
      const season = await findSeason(db, { number, named });
      if (season === null) throw new Problem('not_found');
      const [list, winners, numbers] = await Promise.all([
        listStandings(db, season, { ...page, staffEmails }),
        listWinners(db, season, staffEmails),
        listSeasonNumbers(db, named),
      ]);
      return c.json(buildCompetitionView({ season, list, winners, numbers, now: Date.now() }));
    },
  )
  .get(
    '/entries',
    describeResponses('List the user’s characters of the season and whether they take part', {
      200: ownEntries,
    }),
    validateRequest('query', ownEntriesQuery),
    async (c) => {
      const { user } = await requireAccount(c);
      const db = c.get('db');
      const named = getConfiguredSeason(await readRuntimeConfig(c.env));
      const season = await findSeason(db, { number: undefined, named });
      if (season === null) throw new Problem('not_found');
      const list = await listOwnEntries(db, { creatorId: user.id, season, ...c.req.valid('query') });
      return c.json({ season: toSeasonView(season, Date.now()), ...list });
    },
  )
  .post(
    '/entries/:character_id',
    describeResponses('Enter a withdrawn character in the competition again', { 204: null }),
    async (c) => {
      await setWithdrawn(c, false);
      return c.body(null, 204);
    },
  )
  .delete(
    '/entries/:character_id',
    describeResponses('Withdraw a character from the competition', { 204: null }),
    async (c) => {
      await setWithdrawn(c, true);
      return c.body(null, 204);
    },
  );
