import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { readRuntimeConfig } from '../features/runtime-config/runtime-config-gateway.ts';
import { getConfiguredSeason } from '../features/competition/competition.ts';
import { clearNetworks } from '../features/competition/networks-store.ts';
import { listOpenSeasons, saveSeason } from '../features/competition/season-store.ts';
import { updateStandings } from '../features/competition/standings-update-store.ts';
import { log } from '../lib/log.ts';

/**
 * Stores the season from the runtime configuration and updates the standings of every open season: counts some more
 * people, ranks all entries, and fixes the winners once their day has come. Then deletes the networks that only the
 * counting needed. Safe to repeat.
 */
export async function updateCompetition(env: Env, db: Database, now: number): Promise<void> {
  const { adminEmails } = readEnvironment(env);
  await saveSeason(db, getConfiguredSeason(await readRuntimeConfig(env, now)), now);
  for (const season of await listOpenSeasons(db, now)) {
    const isDecided = await updateStandings(db, env.KV, { season, now, adminEmails });
    if (isDecided) log('season_decided', { season: season.number });
  }
  await clearNetworks(db, env.KV, now);
}
