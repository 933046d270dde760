import { COMPETITION } from './limits.ts';
import type { RuntimeConfig } from '../runtime-config/contract.ts';

/** The rules of the competition. docs/competition.md publishes them, and the competition's page explains them. */

const DAY_MS = 86_400_000;

/** A season's number and times, in ms. */
export interface SeasonTimes {
  number: number;
  beginsAt: number;
  /** Exclusive. */
  endsAt: number;
  winnersAt: number;
}

/**
 * Returns the season of the runtime configuration. Winners are announced after its end, even if both are on the same
 * day.
 */
export function getConfiguredSeason(
  config: Pick<
    RuntimeConfig,
    'competition_season' | 'competition_begins_on' | 'competition_ends_on' | 'competition_winners_on'
  >,
): SeasonTimes {
  const endsAt = Date.parse(config.competition_ends_on) + DAY_MS;
  return {
    number: config.competition_season,
    beginsAt: Date.parse(config.competition_begins_on),
    endsAt,
    winnersAt: Math.max(endsAt, Date.parse(config.competition_winners_on)),
  };
}

/** `judging`: new activity no longer counts, and the winners are not known yet. */
export const SEASON_STATES = ['coming', 'running', 'judging', 'decided'] as const;
export type SeasonState = (typeof SEASON_STATES)[number];

/** @param season.status the stored status: the winners are known only once that is `decided` */
export function getSeasonState(
  { beginsAt, endsAt, status }: Pick<SeasonTimes, 'beginsAt' | 'endsAt'> & { status: 'open' | 'decided' },
  now: number,
): SeasonState {
  if (status === 'decided') return 'decided';
  if (now < beginsAt) return 'coming';
  return now < endsAt ? 'running' : 'judging';
}

/** The prizes, and the number of winners of each. */
export const PRIZES = [
  { prize: 'gift_card', places: 1 },
  { prize: 'storyteller_month', places: COMPETITION.monthPlaces },
] as const;
export type Prize = (typeof PRIZES)[number]['prize'];

/**
 * Returns how many people count for a character, of those who really conversed with it.
 * @param perNetwork the number of people from each network; people of unknown networks share one
 */
export function countPeople(perNetwork: readonly number[]): number {
  return perNetwork.reduce((sum, people) => sum + Math.min(people, COMPETITION.maxPeoplePerNetwork), 0);
}

/**
 * The same, with a limit for each wider network as well.
 * @param widerNetworks for each wider network, the number of people from each of its networks
 */
export function countPeopleInWiderNetworks(widerNetworks: readonly (readonly number[])[]): number {
  return widerNetworks.reduce(
    (sum, networks) => sum + Math.min(countPeople(networks), COMPETITION.maxPeoplePerWiderNetwork),
    0,
  );
}

/** The data that decides a character's rank. */
export interface CompetitionEntry {
  characterId: string;
  creatorId: string;
  /** The creator as a person: equal for all accounts that are assumed to be one person's, see `buildPersonKey`. */
  person: string;
  createdAt: number;
  /** As `countPeople` counts them. */
  people: number;
  /** Judges' marks, 0 to 100 each. */
  marks: readonly number[];
}

export interface Standing extends Omit<CompetitionEntry, 'marks'> {
  /** Equal standings share a rank, and the following ranks are skipped. */
  rank: number;
  popularity: number;
  creativity: number;
  score: number;
}

/** Rounds to four decimals, so that equal scores are equal however they were added up. */
const roundScore = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Depends on the character's own people only, so the numbers of others never change the order of two characters. */
export const computePopularity = (people: number): number =>
  roundScore(Math.min(100, COMPETITION.pointsPerDoubling * Math.log2(1 + people)));

export const computeCreativity = (marks: readonly number[]): number =>
  marks.length === 0 ? 0 : roundScore(marks.reduce((sum, mark) => sum + mark, 0) / marks.length);

export const computeScore = (popularity: number, creativity: number): number =>
  roundScore((COMPETITION.popularityPercent * popularity + COMPETITION.creativityPercent * creativity) / 100);

/**
 * Compares two standings for sorting, best first; 0 means that they share a rank. Equal scores are ordered by
 * creativity, then by people, then by creation: the later one comes first, because it had less time.
 */
function compareStandings(a: Omit<Standing, 'rank'>, b: Omit<Standing, 'rank'>): number {
  return b.score - a.score || b.creativity - a.creativity || b.people - a.people || b.createdAt - a.createdAt;
}

/** Returns all standings, best first. */
export function rankEntries(entries: readonly CompetitionEntry[]): Standing[] {
  const scored = entries.map(({ marks, ...entry }) => {
    const popularity = computePopularity(entry.people);
    const creativity = computeCreativity(marks);
    return { ...entry, popularity, creativity, score: computeScore(popularity, creativity) };
  });
  scored.sort((a, b) => compareStandings(a, b) || (a.characterId < b.characterId ? -1 : 1));
  const standings: Standing[] = [];
  for (const [index, entry] of scored.entries()) {
    const before = standings.at(-1);
    const shares = before !== undefined && compareStandings(before, entry) === 0;
    standings.push({ ...entry, rank: shares ? before.rank : index + 1 });
  }
  return standings;
}

export interface Winner {
  prize: Prize;
  /** From 1, within the prize. */
  place: number;
  characterId: string;
  creatorId: string;
}

/** Selects the best entry of each of the first people, and of those who tie with the last winner by `isEqual`. */
function selectWinners(
  ordered: readonly Standing[],
  { prize, places }: { prize: Prize; places: number },
  isEqual: (a: Standing, b: Standing) => boolean,
): Winner[] {
  const won: Standing[] = [];
  const known = new Set<string>();
  for (const standing of ordered) {
    const last = won.at(-1);
    if (won.length >= places && (last === undefined || !isEqual(last, standing))) break;
    if (known.has(standing.person)) continue;
    known.add(standing.person);
    won.push(standing);
  }
  return won.map(({ characterId, creatorId }, index) => ({
    prize,
    place: index + 1,
    characterId,
    creatorId,
  }));
}

/**
 * Decides who wins which prize. The gift card goes to the creator of the character with the most people, and the higher
 * rank decides between several; a month goes to each of the first five people. A person wins each prize once, and
 * nothing for a character without people. Judges keep their ranks but win nothing.
 * @param standings in order of rank
 * @param judges persons who give marks, or may do so
 */
export function computeWinners(
  standings: readonly Standing[],
  judges: ReadonlySet<string> = new Set(),
): Winner[] {
  const met = standings.filter(({ people, person }) => people > 0 && !judges.has(person));
  const [card, month] = PRIZES;
  const sharesRank = (a: Standing, b: Standing) => a.rank === b.rank;
  // Sorting is stable: of characters with the same number of people, the higher ranked one stays first.
  const popular = met.toSorted((a, b) => b.people - a.people);
  return [
    ...selectWinners(popular, card, (a, b) => a.people === b.people && sharesRank(a, b)),
    ...selectWinners(met, month, sharesRank),
  ];
}

/** Why a character does not take part in the season, shown to its creator; `entered`: it takes part. */
export const ENTRY_STATES = [
  'entered',
  'withdrawn',
  'not_public',
  'adult',
  'explicit',
  'moderated',
  'suspended',
] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** @param character one that was created in the season and is not in the trash */
export function getEntryState(character: {
  visibility: string;
  nsfwAllowed: boolean;
  isExplicit: boolean;
  moderation: string;
  isWithdrawn: boolean;
  isSuspended: boolean;
}): EntryState {
  if (character.isSuspended) return 'suspended';
  if (character.moderation !== 'shown') return 'moderated';
  if (character.nsfwAllowed) return 'adult';
  if (character.isExplicit) return 'explicit';
  if (character.visibility !== 'public') return 'not_public';
  return character.isWithdrawn ? 'withdrawn' : 'entered';
}
