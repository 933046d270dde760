import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { readRuntimeConfig } from '../features/runtime-config/runtime-config-gateway.ts';
import { getConfiguredSeason } from '../features/competition/competition.ts';
import { clearNetworks } from '../features/competition/networks-store.ts';
import { listOpenSeasons, saveSeason } from '../features/competition/season-store.ts';
import { updateStandings } from '../features/competition/standings-update-store.ts';
import { log } from '../lib/log.ts';

/**
 * Writes down the season that the constants name, and brings the standings of every open one up to date: some people are
 * counted, all who take part are ranked, and winners are fixed whose day has come. What only counting needed is forgotten
 * behind it. Harmless to repeat.
 */
export async function updateCompetition(env: Env, db: Database, now: number): Promise<void> {
  const { adminEmails } = readEnvironment(env);
  await saveSeason(db, getConfiguredSeason(await readRuntimeConfig(env, now)), now);
  for (const season of await listOpenSeasons(db, now)) {
    const isDecided = await updateStandings(db, env.KV, { season, now, adminEmails });
    if (isDecided) log('season_decided', { season: season.number });
  }
  await clearNetworks(db, env.KV);
}
