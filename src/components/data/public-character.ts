import type { CharacterDetail } from '../../features/character/contract.ts';
import { replaceMacros } from '../../features/conversation/macro-names.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';

/** What a page tells of a character. */
export type PublicCharacter = Pick<
  CharacterDetail,
  'name' | 'oneliner' | 'summary' | 'first_message' | 'suggested_replies'
>;

/**
 * A line about a character as it is told to somebody whom the page does not know: with the names of the story in it, and
 * with nothing that would leave its place.
 */
export const presentLine = (text: string, name: string, reader: string): string =>
  sanitizeText(replaceMacros(text, { user: reader, char: name }));

/**
 * What a page tells of a character to somebody whom it does not know: with the names of the story in it.
 * @param reader what stands in for the person of the story, whose name nobody knows yet
 */
export function presentCharacter(character: PublicCharacter, reader: string): PublicCharacter {
  const present = (text: string) => presentLine(text, character.name, reader);
  return {
    name: sanitizeText(character.name),
    oneliner: present(character.oneliner),
    summary: character.summary === null ? null : present(character.summary),
    first_message: present(character.first_message),
    suggested_replies: character.suggested_replies.map(present),
  };
}
