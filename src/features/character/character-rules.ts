import { TEXT_LIMITS } from '../../config.ts';
import { hasBreaks, hasVisibleText } from '../visible-text.ts';

/** Suggested replies of one character: as many as a phone shows beside each other without scrolling for long. */
export const MAX_SUGGESTED_REPLIES = 6;
/** Of one of them (SPEC section 5). */
export const SUGGESTED_REPLY_WORDS = { min: 3, max: 5 } as const;
/** Five long words of any language, in UTF-16 units. */
export const SUGGESTED_REPLY_CHARS = 100;
/** First messages to choose from beside the first one; far above what cards have. */
export const MAX_ALTERNATE_GREETINGS = 30;

/** Scripts that are written without spaces, in which words are counted by a dictionary. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * How many words a text has: what stands between blanks and has a letter or a digit. A run of a script without spaces
 * counts as its dictionary divides it.
 */
export function wordCount(text: string): number {
  const runs = text.split(/\s+/u).filter((run) => /[\p{L}\p{N}]/u.test(run));
  return runs.reduce((count, run) => count + (UNSPACED.test(run) ? dictionaryWords(run) : 1), 0);
}

let segmenter: Intl.Segmenter | null = null;

function dictionaryWords(run: string): number {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike === true).length;
}

/**
 * Whether a suggested reply has three to five words. Where no dictionary can say how many a text has (Japanese, Chinese,
 * Thai and their kin are divided by meaning), one that could have three to five is taken.
 */
export function isSuggestedReply(text: string): boolean {
  const { min, max } = SUGGESTED_REPLY_WORDS;
  const fits =
    text.length <= SUGGESTED_REPLY_CHARS && text.isWellFormed() && hasVisibleText(text) && !hasBreaks(text);
  if (!fits) return false;
  const count = wordCount(text);
  return UNSPACED.test(text) ? count >= 1 && count <= max * 2 : count >= min && count <= max;
}

/** Languages as they are named in addresses and in pages, such as `pt-BR`. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;

/** Whether a creator's notes can be in a language of that name. */
export const isNoteLanguage = (name: string): boolean => LANGUAGE.test(name);

/** The form's fields that have a longest text, in UTF-16 units as browsers count (SPEC section 5). */
export const CHARACTER_TEXTS = {
  name: { max: TEXT_LIMITS.characterName, required: true },
  oneliner: { max: TEXT_LIMITS.oneliner, required: true },
  character_traits: { max: TEXT_LIMITS.characterTraits, required: true },
  first_message: { max: TEXT_LIMITS.firstMessage, required: false },
} as const;
export type CharacterText = keyof typeof CHARACTER_TEXTS;

/** Why a character is reported, in the order in which it is asked for (SPEC section 3). */
export const REPORT_REASONS = [
  'nsfw',
  'copyright',
  'illegal',
  'impersonation',
  'discrimination',
  'misinformation',
  'brokenImage',
  'spam',
  'wrongTag',
  'other',
] as const;
