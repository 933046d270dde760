import { COMPETITION } from './limits.ts';
import { PRIZES, type SeasonTimes, getSeasonState } from './competition.ts';
import type { Competition } from './contract.ts';

/** A season with its stored state. */
interface SeasonRecord extends SeasonTimes {
  status: 'open' | 'decided';
  standingsAt: number | null;
}

const toIso = (at: number): string => new Date(at).toISOString();

export const toSeasonView = (season: SeasonRecord, now: number): Competition['season'] => ({
  number: season.number,
  begins_at: toIso(season.beginsAt),
  ends_at: toIso(season.endsAt),
  winners_at: toIso(season.winnersAt),
  status: getSeasonState(season, now),
});

/** Builds the public view of a season with its standings. */
export function buildCompetitionView(read: {
  season: SeasonRecord;
  list: Pick<Competition, 'items' | 'next_cursor'>;
  winners: Competition['winners'];
  numbers: number[];
  now: number;
}): Competition {
  const { season, list, winners, numbers, now } = read;
  return {
    season: toSeasonView(season, now),
    prizes: PRIZES.map(({ prize, places }) => ({
      prize,
      places,
      value_cents: prize === 'gift_card' ? COMPETITION.giftCardCents : null,
    })),
    formula: {
      popularity_percent: COMPETITION.popularityPercent,
      creativity_percent: COMPETITION.creativityPercent,
      points_per_doubling: COMPETITION.pointsPerDoubling,
      full_people: COMPETITION.maxPeople,
      messages_to_count: COMPETITION.minMessages,
      people_per_network: COMPETITION.maxPeoplePerNetwork,
      people_per_wider_network: COMPETITION.maxPeoplePerWiderNetwork,
    },
    ...list,
    updated_at: season.standingsAt === null ? null : toIso(season.standingsAt),
    winners,
    seasons: numbers,
  };
}
