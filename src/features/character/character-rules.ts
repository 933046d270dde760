import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { sanitizeText, hasBreaks, hasVisibleText } from '../../lib/sanitize-text.ts';

/** Suggested replies per character: as many as fit side by side on a phone with little scrolling. */
export const MAX_SUGGESTED_REPLIES = 6;
/** Words of a suggested reply (docs/product.md). */
export const SUGGESTED_REPLY_WORDS = { min: 3, max: 5 } as const;
/** Five long words of any language, in UTF-16 units. */
export const MAX_SUGGESTED_REPLY_CHARS = 100;
/** First messages to choose from in addition to the first one; far more than cards have. */
export const MAX_ALTERNATE_GREETINGS = 30;

/** Text of a script without spaces, where words are counted with a dictionary. */
const UNSPACED_SCRIPT =
  /(?:[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]\p{M}*)+/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

/**
 * Returns the least and the most words that a text may have. Text between blanks is one word if it contains a letter or
 * a digit. Japanese, Chinese, Thai and similar scripts are divided by meaning, which each dictionary does differently:
 * the true count may be half of ours or one and a half times as much, but never more than the number of letters.
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

/** Whether a suggested reply has three to five words, or may have them where dictionaries differ. */
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

/**
 * Returns the nickname that conversations use instead of the name; undefined when it is missing or has no visible text.
 */
export function getSpokenNickname(nickname: string | null | undefined): string | undefined {
  return nickname == null || !hasVisibleText(nickname) ? undefined : sanitizeText(nickname);
}

/** Form fields with a length limit, in UTF-16 units as browsers count them (docs/product.md). */
export const CHARACTER_TEXTS = {
  name: { max: TEXT_LIMITS.characterName, required: true },
  oneliner: { max: TEXT_LIMITS.oneliner, required: true },
  character_traits: { max: TEXT_LIMITS.characterTraits, required: false },
  first_message: { max: TEXT_LIMITS.firstMessage, required: false },
  about: { max: TEXT_LIMITS.characterAbout, required: false },
} as const;
export type CharacterText = keyof typeof CHARACTER_TEXTS;
