import { toPlainText } from '../../../features/markup/parse-markup.ts';
import { extractSentences } from '../../../lib/sentences.ts';

/** Signs of markup that plain text still has where they are not paired; a voice would name them. */
const SIGNS = /[*_~`#|<>[\]{}\\^]+/g;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Prepares a sentence of plain text for a voice: without signs.
 * @returns null when nothing is left to say
 */
export function toSpokenText(sentence: string): string | null {
  const text = sentence.replace(SIGNS, ' ').replace(/\s+/g, ' ').trim();
  return LETTER_OR_DIGIT.test(text) ? text : null;
}

/**
 * Splits a whole message with markup into the sentences to speak.
 * @param lang language code for the sentence rules
 */
export const toSpokenSentences = (text: string, lang: string): string[] =>
  extractSentences(toPlainText(text), lang, true)
    .finished.map(toSpokenText)
    .filter((sentence) => sentence !== null);
