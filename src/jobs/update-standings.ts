import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { readBusiness } from '../features/runtime-config/runtime-config-gateway.ts';
import { seasonOf } from '../features/competition/competition.ts';
import { forgetNetworks } from '../features/competition/networks-store.ts';
import { openSeasons, writeSeason } from '../features/competition/season-store.ts';
import { keepStandings } from '../features/competition/standings-chores-store.ts';
import { log } from '../lib/log.ts';

/**
 * Writes down the season that the constants name, and brings the standings of every open one up to date: some people are
 * counted, all who take part are ranked, and winners are fixed whose day has come. What only counting needed is forgotten
 * behind it. Harmless to repeat.
 */
export async function keepCompetition(env: Env, db: Database, now: number): Promise<void> {
  const { adminEmails } = readEnvironment(env);
  await writeSeason(db, seasonOf(await readBusiness(env, now)), now);
  for (const season of await openSeasons(db, now)) {
    const isDecided = await keepStandings(db, env.KV, { season, now, adminEmails });
    if (isDecided) log('season_decided', { season: season.number });
  }
  await forgetNetworks(db, env.KV);
}
