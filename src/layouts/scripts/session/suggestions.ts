import type { CharacterCard } from '../../../features/character/contract.ts';
import { client, readJson } from '../../../islands/shared/api.ts';

/** Characters in the row of suggestions. */
export const SUGGESTED_CHARACTERS = 6;
/** Candidates that are read: most users have chatted with some of the popular characters. */
const CANDIDATES = 24;

/** The first characters that the user has not chatted with; if they know nearly all, known ones follow. */
export function pickSuggestions(
  candidates: readonly CharacterCard[],
  chattedWith: ReadonlySet<string>,
): CharacterCard[] {
  const [fresh, known] = [false, true].map((isKnown) =>
    candidates.filter(({ id }) => chattedWith.has(id) === isKnown),
  );
  return [...(fresh ?? []), ...(known ?? [])].slice(0, SUGGESTED_CHARACTERS);
}

/** Loads suggestions from the popular characters; null when that fails. */
export async function loadSuggestions(chattedWith: ReadonlySet<string>): Promise<CharacterCard[] | null> {
  const answer = await readJson(
    client.characters.$get({ query: { sort: 'popular', limit: String(CANDIDATES) } }),
  );
  return answer.ok ? pickSuggestions(answer.data.items, chattedWith) : null;
}
