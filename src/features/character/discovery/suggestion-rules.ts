import { FOR_YOU } from '../limits.ts';
import { isTag } from './list-filters.ts';
import type { SuggestionReason } from './suggestion-contract.ts';

/*
 * Which characters are suggested to a user, and why (docs/discovery.md). The rule uses the characters that the user likes,
 * saves and chats with, the creators they follow, and tags and languages; no text of a chat or of a character.
 */

/** How a user chose a character, strongest first. */
export type ChoiceKind = 'liked' | 'favourite' | 'chatted';

export interface ChosenCharacter {
  kind: ChoiceKind;
  id: string;
  name: string;
  creatorId: string;
  /** Whether the site's own account created it; that says nothing about the user's taste. */
  isSiteOwned: boolean;
  /** Of both kinds. */
  tags: readonly string[];
  language: string | null;
}

/** What a user chose: characters with the strongest kind first, the newest of each first; and creators they follow. */
export interface Choices {
  characters: readonly ChosenCharacter[];
  creatorIds: readonly string[];
}

/** The choices of a user who has made none, or who declined personal suggestions. */
export const NO_CHOICES: Choices = { characters: [], creatorIds: [] };

/** A character that may be suggested: listed, new to the user, and not reported, hidden or their own. */
export interface Candidate {
  id: string;
  creatorId: string;
  isSiteOwned: boolean;
  tags: readonly string[];
  language: string | null;
  chatCount: number;
}

/** Something that the user's choices speak for, and the strongest, newest choice that does; null for a followed creator. */
interface Preference {
  weight: number;
  because: ChosenCharacter | null;
}

export interface Taste {
  /** Chosen characters, which are no suggestions. */
  chosenIds: ReadonlySet<string>;
  /** Of the page. */
  language: string;
  /** That language, and those of the chosen characters. */
  languages: ReadonlySet<string>;
  tags: ReadonlyMap<string, Preference>;
  creators: ReadonlyMap<string, Preference>;
}

/** A like or a favourite is a decision; a chat may be a try. */
const CHOICE_WEIGHTS: Readonly<Record<ChoiceKind, number>> = { liked: 3, favourite: 3, chatted: 2 };
/** A free tag says more about a character than one of the five, which every second character has. */
const FREE_TAG_FACTOR = 2;
const CREATOR_FACTOR = 2;
/** Following weighs as much as if all choices were characters of that creator. */
const FOLLOWED_WEIGHT = CREATOR_FACTOR;

/**
 * Derives what a user likes. A tag or creator weighs as much as the share of the choices that have it; a character that was
 * chosen in several ways counts once, in the strongest way. All weights are between 0 and 2, followed creators up to 4.
 * @param language of the page
 */
export function deriveTaste({ characters, creatorIds }: Choices, language: string): Taste {
  const chosen = characters.filter(({ id }, place) => characters.findIndex((one) => one.id === id) === place);
  const total = chosen.reduce((sum, { kind }) => sum + CHOICE_WEIGHTS[kind], 0);
  const tags = new Map<string, Preference>();
  const creators = new Map<string, Preference>(
    creatorIds.map((id) => [id, { weight: FOLLOWED_WEIGHT, because: null }]),
  );
  const add = (map: Map<string, Preference>, key: string, because: ChosenCharacter, factor: number) => {
    const known = map.get(key) ?? { weight: 0, because };
    map.set(key, { ...known, weight: known.weight + (CHOICE_WEIGHTS[because.kind] / total) * factor });
  };
  for (const one of chosen) {
    for (const tag of new Set(one.tags)) add(tags, tag, one, isTag(tag) ? 1 : FREE_TAG_FACTOR);
    if (!one.isSiteOwned) add(creators, one.creatorId, one, CREATOR_FACTOR);
  }
  const languages = chosen.flatMap((one) => one.language ?? []);
  return {
    chosenIds: new Set(chosen.map(({ id }) => id)),
    language,
    languages: new Set([language, ...languages]),
    tags,
    creators,
  };
}

/** Returns the keys of the strongest preferences. */
export function listStrongest(preferences: ReadonlyMap<string, Preference>, count: number): string[] {
  return [...preferences]
    .toSorted(([oneKey, one], [otherKey, other]) => other.weight - one.weight || (oneKey < otherKey ? -1 : 1))
    .slice(0, count)
    .map(([key]) => key);
}

interface Rated {
  candidate: Candidate;
  isReadable: boolean;
  score: number;
  reason: SuggestionReason;
}

/** Rates a candidate: the weights of its tags, which count less the more it has, and of its creator. */
function rateCandidate(candidate: Candidate, taste: Taste): Rated {
  const shared = new Map(
    [...new Set(candidate.tags)].flatMap((tag) => {
      const preference = taste.tags.get(tag);
      return preference === undefined ? [] : [[tag, preference] as const];
    }),
  );
  const byTags = [...shared.values()].reduce((sum, { weight }) => sum + weight, 0);
  const creator = taste.creators.get(candidate.creatorId);
  const isReadable = candidate.language !== null && taste.languages.has(candidate.language);
  return {
    candidate,
    isReadable,
    score: byTags / Math.sqrt(Math.max(1, candidate.tags.length)) + (creator?.weight ?? 0),
    reason: findReason(shared, creator) ?? {
      kind: 'popular',
      language: isReadable ? candidate.language : null,
    },
  };
}

/** The strongest reason for a suggestion: a followed creator, or else what most of the user's choices share; null for none. */
function findReason(shared: ReadonlyMap<string, Preference>, creator?: Preference): SuggestionReason | null {
  if (creator?.because === null) return { kind: 'creator', character: null };
  const [tag] = listStrongest(shared, 1);
  const preference = tag === undefined ? undefined : shared.get(tag);
  if (creator?.because && creator.weight > (preference?.weight ?? 0))
    return { kind: 'creator', character: toNamed(creator.because) };
  if (tag === undefined || !preference?.because) return null;
  return { kind: 'tag', tag, because: preference.because.kind, character: toNamed(preference.because) };
}

const toNamed = ({ id, name }: ChosenCharacter) => ({ id, name });

/**
 * Ranks candidates: languages that the user reads first, then by score, the page's language and popularity. At most two
 * characters of a creator; the site's own account is no single author and has no such limit. The order of the candidates
 * does not matter.
 */
export function rankSuggestions(
  candidates: readonly Candidate[],
  taste: Taste,
  limit: number,
): { id: string; reason: SuggestionReason }[] {
  const rated = [...new Map(candidates.map((one) => [one.id, one])).values()]
    .filter(({ id }) => !taste.chosenIds.has(id))
    .map((one) => rateCandidate(one, taste))
    .toSorted(
      (one, other) =>
        Number(other.isReadable) - Number(one.isReadable) ||
        other.score - one.score ||
        Number(other.candidate.language === taste.language) -
          Number(one.candidate.language === taste.language) ||
        other.candidate.chatCount - one.candidate.chatCount ||
        (one.candidate.id > other.candidate.id ? -1 : 1),
    );
  const counts = new Map<string, number>();
  const picked = rated.filter(({ candidate: { creatorId, isSiteOwned } }) => {
    const count = (counts.get(creatorId) ?? 0) + 1;
    counts.set(creatorId, count);
    return isSiteOwned || count <= FOR_YOU.maxPerCreator;
  });
  return picked.slice(0, limit).map(({ candidate, reason }) => ({ id: candidate.id, reason }));
}
