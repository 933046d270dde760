import { EXPLICIT_WORDS, NONE_OF_IT } from './explicit-words.ts';
import { folded } from './minors-patterns.ts';

/** Of the words: whoever changes them raises it, and what was looked at before is looked at anew. */
export const EXPLICIT_VERSION = 1;

/** No character's texts are longer; what comes after is not read. */
const MAX_CHARACTERS = 200_000;

/** As in minors-patterns.ts: the letters and marks of languages that set words apart. */
const LETTERS = 'a-z\u00df-\u024f\u0300-\u036f\u0400-\u052f\u0900-\u0963\u0970-\u097f';

const sourceOf = (word: string, spaced: boolean): string => {
  const body = word
    .normalize('NFKC')
    .replaceAll('~', `[${LETTERS}]*`)
    .replaceAll(/ (?!\?)/g, '[\\s_\\-\u2010-\u2015]+')
    .replaceAll(' ?', '[\\s_\\-\u2010-\u2015]?');
  return spaced ? `(?<![${LETTERS}\\d])(?:${body})(?![${LETTERS}\\d])` : `(?:${body})`;
};

interface Patterns {
  words: RegExp;
  topics: RegExp;
  before: RegExp;
  after: RegExp;
}

function patternsOf(): Patterns {
  const all = (list: 'words' | 'topics') =>
    new RegExp(
      [true, false]
        .map((spaced) =>
          sourceOf(
            EXPLICIT_WORDS.filter((one) => one.spaced === spaced)
              .flatMap((one) => one[list])
              .join('|'),
            spaced,
          ),
        )
        .join('|'),
      'g',
    );
  const { before, beforeUnspaced, after, afterUnspaced } = NONE_OF_IT;
  return {
    words: all('words'),
    topics: all('topics'),
    before: new RegExp(
      `(?:${sourceOf(before, true)}[^.!?\\n]{0,24}|(?:${beforeUnspaced})[^。！？.!?\\n]{0,6})$`,
    ),
    after: new RegExp(`^(?:[^.!?\\n,;]{0,16}${sourceOf(after, true)}|${afterUnspaced})`),
  };
}

let compiled: Patterns | null = null;
/** Made when they are first needed: most requests never do. */
const patterns = (): Patterns => (compiled ??= patternsOf());

/**
 * The explicit sexual words of a text, each once, in the order in which they stand there, as the rules read them. A list
 * of words and no understanding: it misses what is only hinted at, and a plain love story has none of them.
 */
export function explicitWordsIn(original: string): string[] {
  const { words, topics, before, after } = patterns();
  const text = folded(original.slice(0, MAX_CHARACTERS));
  const found = Array.from(text.matchAll(words), ({ 0: word, index }) => ({ word, index }));
  for (const { 0: word, index } of text.matchAll(topics)) {
    const end = index + word.length;
    const isNone =
      before.test(text.slice(Math.max(0, index - 40), index)) || after.test(text.slice(end, end + 32));
    if (!isNone) found.push({ word, index });
  }
  return [...new Set(found.toSorted((a, b) => a.index - b.index).map(({ word }) => word))];
}
