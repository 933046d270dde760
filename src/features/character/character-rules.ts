import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { sanitizeText, hasBreaks, hasVisibleText } from '../../lib/sanitize-text.ts';

/** Suggested replies of one character: as many as a phone shows beside each other without scrolling for long. */
export const MAX_SUGGESTED_REPLIES = 6;
/** Of one of them (SPEC section 5). */
export const SUGGESTED_REPLY_WORDS = { min: 3, max: 5 } as const;
/** Five long words of any language, in UTF-16 units. */
export const MAX_SUGGESTED_REPLY_CHARS = 100;
/** First messages to choose from beside the first one; far above what cards have. */
export const MAX_ALTERNATE_GREETINGS = 30;

/** A stretch of a script that is written without spaces, in which words are counted by a dictionary. */
const UNSPACED_SCRIPT =
  /(?:[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*)+/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

/**
 * How many words a text has at least and at most. Between blanks stands one word, where it has a letter or a digit.
 * Japanese, Chinese, Thai and their kin are divided by meaning, each dictionary in its own way: a stretch of them may have
 * half as many words as ours finds there or half as many again, and never more than it has letters.
 */
function countWords(text: string): { least: number; most: number } {
  const spaced = text
    .replaceAll(UNSPACED_SCRIPT, ' ')
    .split(/\s+/u)
    .filter((run) => HAS_WORD.test(run)).length;
  const count = { least: spaced, most: spaced };
  for (const [stretch] of text.matchAll(UNSPACED_SCRIPT)) {
    const words = countDictionaryWords(stretch);
    const letters = stretch.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    count.least += Math.ceil(words / 2);
    count.most += Math.min(Math.floor(words * 1.5), letters);
  }
  return count;
}

let segmenter: Intl.Segmenter | null = null;

function countDictionaryWords(stretch: string): number {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return [...segmenter.segment(stretch)].filter(({ isWordLike }) => isWordLike === true).length;
}

/** Whether a suggested reply has three to five words, or may have them where no dictionary can say it for sure. */
export function isSuggestedReply(text: string): boolean {
  const fits =
    text.length <= MAX_SUGGESTED_REPLY_CHARS &&
    text.isWellFormed() &&
    hasVisibleText(text) &&
    !hasBreaks(text);
  if (!fits) return false;
  const { least, most } = countWords(text);
  return least <= SUGGESTED_REPLY_WORDS.max && most >= SUGGESTED_REPLY_WORDS.min;
}

/** Languages as they are named in addresses and in pages, such as `pt-BR`. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;

/** Whether a creator's notes can be in a language of that name. */
export const isNoteLanguage = (name: string): boolean => LANGUAGE_TAG.test(name);

/**
 * The name under which notes of a page's language stand, or would: that language itself, or else the first of its kinds
 * (`pt-BR` for `pt`).
 */
export function findNoteLanguage(notes: Readonly<Record<string, string>>, lang: string): string {
  const names = Object.keys(notes);
  const own = names.find((name) => name.toLowerCase() === lang.toLowerCase());
  return own ?? names.find((name) => name.toLowerCase().startsWith(`${lang.toLowerCase()}-`)) ?? lang;
}

/** What stories call a character in place of its name; undefined where its nickname says nothing. */
export function getSpokenNickname(nickname: string | null | undefined): string | undefined {
  return nickname == null || !hasVisibleText(nickname) ? undefined : sanitizeText(nickname);
}

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
