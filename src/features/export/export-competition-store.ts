import { and, asc, eq, isNotNull } from 'drizzle-orm';
import {
  competitionPrizes,
  competitionStandings,
  competitionWithdrawals,
  seasons,
} from '../../db/schema/competition.ts';
import type { Database } from '../../db/open.ts';
import { characters, conversations } from '../../db/schema/core.ts';

const toIsoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/**
 * Reads the user's competition data: standings, withdrawals, prizes, and the network hashes of their conversations, which
 * are stored as long as a season needs them.
 */
export async function getCompetitionData(db: Database, userId: string) {
  const [entries, left, won, networks] = await Promise.all([
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
    db
      .select({ conversation_id: conversations.id, network: conversations.network })
      .from(conversations)
      .where(and(eq(conversations.ownerId, userId), isNotNull(conversations.network)))
      .orderBy(asc(conversations.id)),
  ]);
  return {
    standings: entries.map(({ season, standing }) => ({
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
      at: toIsoOrNull(withdrawal.createdAt),
    })),
    prizes: won.map(({ season, prize }) => ({
      season,
      prize: prize.prize,
      place: prize.place,
      character_name: prize.characterName,
      given_at: toIsoOrNull(prize.givenAt),
    })),
    networks,
  };
}
