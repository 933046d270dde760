import type { ConversationMeta } from './conversation-store.ts';
import { replaceMacros, getMacroNames } from './macro-names.ts';
import { MAX_INDEXED_CHARS } from '../search/search-words.ts';

/**
 * A message as its reader sees it, with the names of the story, as far as the search reads: what is drawn is what is
 * found.
 * @param content as it is stored, macros and all
 */
export function toSearchableText(
  content: string,
  story: Pick<ConversationMeta, 'persona' | 'userName' | 'character'>,
): string {
  // Cut before, too: thousands of macros become thousands of long names.
  return replaceMacros(content.slice(0, MAX_INDEXED_CHARS), getMacroNames(story)).slice(0, MAX_INDEXED_CHARS);
}
