import type { CharacterDetail } from '../../features/character/contract.ts';
import { fillNames } from '../../features/conversation/conversation-names.ts';
import { sanitizeText } from '../../lib/visible-text.ts';

/** What a page tells of a character. */
export type Face = Pick<
  CharacterDetail,
  'name' | 'oneliner' | 'summary' | 'first_message' | 'suggested_replies'
>;

/**
 * A line about a character as it is told to somebody whom the page does not know: with the names of the story in it, and
 * with nothing that would leave its place.
 */
export const toldLine = (text: string, name: string, reader: string): string =>
  sanitizeText(fillNames(text, { user: reader, char: name }));

/**
 * What a page tells of a character to somebody whom it does not know: with the names of the story in it.
 * @param reader what stands in for the person of the story, whose name nobody knows yet
 */
export function toldFace(character: Face, reader: string): Face {
  const told = (text: string) => toldLine(text, character.name, reader);
  return {
    name: sanitizeText(character.name),
    oneliner: told(character.oneliner),
    summary: character.summary === null ? null : told(character.summary),
    first_message: told(character.first_message),
    suggested_replies: character.suggested_replies.map(told),
  };
}
