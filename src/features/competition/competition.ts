import { COMPETITION } from './limits.ts';
import type { RuntimeConfig } from '../runtime-config/contract.ts';

/** The rules of the competition; docs/competition.md publishes them, and the page tells them in words. */

const DAY_MS = 86_400_000;

/** A season's number and its moments, in ms. */
export interface SeasonTimes {
  number: number;
  beginsAt: number;
  /** The first moment that is not in it any more. */
  endsAt: number;
  winnersAt: number;
}

/** The season that the constants name. Winners are announced after its last moment, also where both are on one day. */
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

/** `judging`: what people do is counted no more, and the winners are not known yet. */
export const SEASON_STATES = ['coming', 'running', 'judging', 'decided'] as const;
export type SeasonState = (typeof SEASON_STATES)[number];

/** @param status as it is written down: who won is known only once that is */
export function getSeasonState(
  { beginsAt, endsAt, status }: Pick<SeasonTimes, 'beginsAt' | 'endsAt'> & { status: 'open' | 'decided' },
  now: number,
): SeasonState {
  if (status === 'decided') return 'decided';
  if (now < beginsAt) return 'coming';
  return now < endsAt ? 'running' : 'judging';
}

/** What can be won, and by how many people. */
export const PRIZES = [
  { prize: 'gift_card', places: 1 },
  { prize: 'storyteller_month', places: COMPETITION.monthPlaces },
] as const;
export type Prize = (typeof PRIZES)[number]['prize'];

/**
 * How many people count for a character, of those who really conversed with it.
 * @param perNetwork how many came from each network; those of whom nobody knows it are one
 */
export function countPeople(perNetwork: readonly number[]): number {
  return perNetwork.reduce((sum, people) => sum + Math.min(people, COMPETITION.maxPeoplePerNetwork), 0);
}

/** The same, where of a larger network no more count than such a one may bring. @param widerNetworks the networks in each */
export function countPeopleInWiderNetworks(widerNetworks: readonly (readonly number[])[]): number {
  return widerNetworks.reduce(
    (sum, networks) => sum + Math.min(countPeople(networks), COMPETITION.maxPeoplePerWiderNetwork),
    0,
  );
}

/** What a character's place rests on. */
export interface CompetitionEntry {
  characterId: string;
  creatorId: string;
  /** Who made it, as a person: the same for all accounts that are told to be one's own; see `unwrapPerson`. */
  person: string;
  createdAt: number;
  /** As `countPeople` counts them. */
  people: number;
  /** Judges' marks, 0 to 100 each. */
  marks: readonly number[];
}

export interface Standing extends Omit<CompetitionEntry, 'marks'> {
  /** Equal ones share a rank, and the next is as many further on. */
  rank: number;
  popularity: number;
  creativity: number;
  score: number;
}

/** To the ten-thousandth: what is equal is equal, however it was summed up. */
const roundScore = (value: number): number => Math.round(value * 10_000) / 10_000;

/** By what its own people are alone: what others have moves nobody, and no two of them past each other. */
export const computePopularity = (people: number): number =>
  roundScore(Math.min(100, COMPETITION.pointsPerDoubling * Math.log2(1 + people)));

export const computeCreativity = (marks: readonly number[]): number =>
  marks.length === 0 ? 0 : roundScore(marks.reduce((sum, mark) => sum + mark, 0) / marks.length);

export const computeScore = (popularity: number, creativity: number): number =>
  roundScore((COMPETITION.popularityPercent * popularity + COMPETITION.creativityPercent * creativity) / 100);

/**
 * Who of two stands before the other, by less than nothing; 0 where they share a rank. Of equal scores the more creative
 * one is first, and then the one with more people; then the one that was made later, for it had less time.
 */
function compareStandings(a: Omit<Standing, 'rank'>, b: Omit<Standing, 'rank'>): number {
  return b.score - a.score || b.creativity - a.creativity || b.people - a.people || b.createdAt - a.createdAt;
}

/** Everybody's place, the first first. */
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

/** The best entry of each of the first people, and of those who share the last one's rank by `isEqual`. */
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
 * Who wins what. The gift card goes to whoever made the most popular character, of several to the one that stands before
 * the others; a month goes to each of the first five people. One person wins each of them once, and nobody anything for a
 * character that nobody conversed with. Judges stand where they stand and win nothing.
 * @param standings in their order @param judges who gives marks, or may, as persons
 */
export function computeWinners(
  standings: readonly Standing[],
  judges: ReadonlySet<string> = new Set(),
): Winner[] {
  const met = standings.filter(({ people, person }) => people > 0 && !judges.has(person));
  const [card, month] = PRIZES;
  const sharesRank = (a: Standing, b: Standing) => a.rank === b.rank;
  // A sort keeps the order of what is equal: of the same number of people the better one stays first.
  const popular = met.toSorted((a, b) => b.people - a.people);
  return [
    ...selectWinners(popular, card, (a, b) => a.people === b.people && sharesRank(a, b)),
    ...selectWinners(met, month, sharesRank),
  ];
}

/** What keeps a character out of the season, for its maker to read; `entered`: nothing does. */
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

/** @param character one that was made in the season, and does not lie in the trash */
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
