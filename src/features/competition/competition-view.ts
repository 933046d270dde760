import { COMPETITION } from './limits.ts';
import { PRIZES, type SeasonTimes, stateOf } from './competition.ts';
import type { Competition } from './contract.ts';

/** A season as it is told. */
interface Told extends SeasonTimes {
  status: 'open' | 'decided';
  standingsAt: number | null;
}

const time = (at: number): string => new Date(at).toISOString();

export const seasonOnWire = (season: Told, now: number): Competition['season'] => ({
  number: season.number,
  begins_at: time(season.beginsAt),
  ends_at: time(season.endsAt),
  winners_at: time(season.winnersAt),
  status: stateOf(season, now),
});

/** A season with its standings, as everybody is told of it. */
export function competitionView(read: {
  season: Told;
  list: Pick<Competition, 'items' | 'next_cursor'>;
  winners: Competition['winners'];
  numbers: number[];
  now: number;
}): Competition {
  const { season, list, winners, numbers, now } = read;
  return {
    season: seasonOnWire(season, now),
    prizes: PRIZES.map(({ prize, places }) => ({
      prize,
      places,
      value_cents: prize === 'gift_card' ? COMPETITION.giftCardCents : null,
    })),
    formula: {
      popularity_percent: COMPETITION.popularityPercent,
      creativity_percent: COMPETITION.creativityPercent,
      points_per_doubling: COMPETITION.pointsPerDoubling,
      full_people: COMPETITION.fullPeople,
      messages_to_count: COMPETITION.messagesToCount,
      people_per_network: COMPETITION.peoplePerNetwork,
      people_per_wider_network: COMPETITION.peoplePerWiderNetwork,
    },
    ...list,
    updated_at: season.standingsAt === null ? null : time(season.standingsAt),
    winners,
    seasons: numbers,
  };
}
