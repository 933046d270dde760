/** Enough for a name and a trait; more terms only make the index work. */
const MAX_SEARCH_TERMS = 8;

/**
 * What a person typed, as a full-text query in which every word must begin some word of the text.
 * Words are quoted, so that no operator of the query language can be typed. Empty when nothing is
 * left to look for.
 */
export function searchTerms(typed: string): string {
  const words = typed.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, MAX_SEARCH_TERMS)
    .map((word) => `"${word}"*`)
    .join(' ');
}
