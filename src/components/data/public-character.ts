import type { CharacterDetail } from '../../features/character/contract.ts';
import { replaceMacros } from '../../features/conversation/macro-names.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';

/** The parts of a character that a page shows. */
export type PublicCharacter = Pick<
  CharacterDetail,
  'name' | 'oneliner' | 'summary' | 'first_message' | 'suggested_replies'
>;

/** Prepares a text about a character for an unknown reader: replaces macros and sanitizes it. */
export const presentLine = (text: string, name: string, reader: string): string =>
  sanitizeText(replaceMacros(text, { user: reader, char: name }));

/**
 * A character's texts for an unknown reader.
 * @param reader replaces the user's name
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
