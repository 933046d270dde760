import type { Meta } from './conversation-store.ts';
import { fillNames, namesOf } from './conversation-names.ts';
import { SEARCHED_CHARS } from '../search/search-words.ts';

/**
 * A message as its reader sees it, with the names of the story, as far as the search reads: what is drawn is what is
 * found.
 * @param content as it is stored, macros and all
 */
export function searchedText(
  content: string,
  story: Pick<Meta, 'persona' | 'userName' | 'character'>,
): string {
  // Cut before, too: thousands of macros become thousands of long names.
  return fillNames(content.slice(0, SEARCHED_CHARS), namesOf(story)).slice(0, SEARCHED_CHARS);
}
