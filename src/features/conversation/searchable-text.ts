import type { ConversationMeta } from './conversation-store.ts';
import { replaceMacros, getMacroNames } from './macro-names.ts';
import { MAX_INDEXED_CHARS } from '../search/search-words.ts';

/**
 * Returns a message's text with the macros replaced, cut to the length that the search index reads. Results and index use
 * the same text.
 * @param content as stored, with macros
 * @param createdAt the message's time, in milliseconds since 1970
 */
export function toSearchableText(
  content: string,
  createdAt: number,
  story: Pick<ConversationMeta, 'persona' | 'userName' | 'character'>,
): string {
  // Cut before the replacement too: thousands of macros would become thousands of long names.
  return replaceMacros(content.slice(0, MAX_INDEXED_CHARS), {
    ...getMacroNames(story),
    at: createdAt,
  }).slice(0, MAX_INDEXED_CHARS);
}
