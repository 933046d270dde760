import { asc, eq } from 'drizzle-orm';
import {
  competitionPrizes,
  competitionStandings,
  competitionWithdrawals,
  seasons,
} from '../../db/competition-schema.ts';
import type { Database } from '../../db/open.ts';
import { characters } from '../../db/schema.ts';

const timeOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** How somebody's characters stood in the competition, which of them they took out of it, and what they won. */
export async function competitionOf(db: Database, userId: string) {
  const [stood, left, won] = await Promise.all([
    db
      .select({ season: seasons.number, standing: competitionStandings })
      .from(characters)
      .innerJoin(competitionStandings, eq(competitionStandings.characterId, characters.id))
      .innerJoin(seasons, eq(seasons.id, competitionStandings.seasonId))
      .where(eq(characters.creatorId, userId))
      .orderBy(asc(seasons.number), asc(characters.id)),
    db
      .select({ season: seasons.number, withdrawal: competitionWithdrawals })
      .from(characters)
      .innerJoin(competitionWithdrawals, eq(competitionWithdrawals.characterId, characters.id))
      .innerJoin(seasons, eq(seasons.id, competitionWithdrawals.seasonId))
      .where(eq(characters.creatorId, userId))
      .orderBy(asc(seasons.number), asc(characters.id)),
    db
      .select({ season: seasons.number, prize: competitionPrizes })
      .from(competitionPrizes)
      .innerJoin(seasons, eq(seasons.id, competitionPrizes.seasonId))
      .where(eq(competitionPrizes.userId, userId))
      .orderBy(asc(seasons.number), asc(competitionPrizes.prize)),
  ]);
  return {
    standings: stood.map(({ season, standing }) => ({
      season,
      character_id: standing.characterId,
      rank: standing.rank,
      people: standing.people,
      popularity: standing.popularity,
      creativity: standing.creativity,
      score: standing.score,
    })),
    withdrawn: left.map(({ season, withdrawal }) => ({
      season,
      character_id: withdrawal.characterId,
      at: timeOrNull(withdrawal.createdAt),
    })),
    prizes: won.map(({ season, prize }) => ({
      season,
      prize: prize.prize,
      place: prize.place,
      character_name: prize.characterName,
      given_at: timeOrNull(prize.givenAt),
    })),
  };
}
