import { phrasesOf, wordsOf, type Phrase } from '../../search/search-words.ts';
import { tagNamed } from './tag-words.ts';
import { inHiragana, stemOf } from './word-forms.ts';

/*
 * A character in the search's index is a row of words, made here and not by SQLite:
 *
 *   ^ =mira =holm $ mira holm $ keeper of the last lighthouses $ … $ ~lighthous
 *
 * its name between `^` and `$`, with a sign of its own; name, tagline and summary as they are, apart, so that no phrase
 * stands across two of them; and what words are shortened to where that is something else. Tags stand beside it, as #tag.
 */

/**
 * Grows with every change of these rules, of word-forms.ts or of search-words.ts: what older rules made is then made
 * anew.
 */
export const WORDS_VERSION = 2;

/** Enough for a name and a trait; more only make the index work. */
const MAX_PHRASES = 8;
const BEGINS = '^';
const ENDS = '$';
const IN_NAME = '=';
const FORM = '~';

/** The words of a text, or of what was typed, in their order. */
const readWords = (text: string): string[] => wordsOf(text).map(({ word }) => inHiragana(word));

/** The words of a character as its row in the index has them. */
export function indexedWords(texts: { name: string; oneliner: string; summary: string | null }): string {
  const [name = [], ...others] = [texts.name, texts.oneliner, texts.summary ?? ''].map(readWords);
  const fields = [name, ...others].map((words) => [...words, ENDS]);
  const forms = new Set([name, ...others].flat().map((word) => (stemOf(word) === word ? '' : stemOf(word))));
  forms.delete('');
  return [
    BEGINS,
    ...name.map((word) => IN_NAME + word),
    ENDS,
    ...fields.flat(),
    ...[...forms].map((form) => FORM + form),
  ].join(' ');
}

/** Words hold no quotation marks (see search-words.ts): nothing that is typed can be an operator. */
const quoted = (words: readonly string[], begins = false): string =>
  `"${words.join(' ')}"${begins ? ' *' : ''}`;
const inName = (words: readonly string[]): string[] => words.map((word) => IN_NAME + word);
const all = (terms: readonly string[]): string => `(${terms.join(' AND ')})`;

/** What was typed as the beginning of a name: all of it in a row, the last word perhaps not yet to its end. */
function beginningOf(words: readonly string[], last: Phrase): string {
  // The last sign of a script without spaces begins a pair: of what it goes on with, nothing is known yet.
  const row = words.at(-1) === last.words.at(-1) ? words : words.slice(0, -1);
  return quoted([BEGINS, ...inName(row)], last.prefix);
}

/** A phrase, what it may be the beginning of, its other forms, and the tag that it names. */
function meaningOf({ words, prefix }: Phrase): string {
  const meant = [quoted(words, prefix)];
  const [word] = words;
  if (word !== undefined && words.length === 1) {
    const stem = stemOf(word);
    if (stem !== word) meant.push(quoted([stem]));
    meant.push(quoted([FORM + stem]));
  }
  const tag = tagNamed(words);
  if (tag !== null) meant.push(quoted([`#${tag}`]));
  return `(${meant.join(' OR ')})`;
}

/** What a person looks for, as expressions for FTS5's MATCH. */
export interface Search {
  /** From the nearest to the farthest; none finds what one before it finds, all of them together find everything. */
  steps: readonly string[];
  /** Everything at once. */
  whole: string;
}

/**
 * Reads what a person typed: first whoever is called that, then whose name begins so, then whose name holds all of it,
 * then who is told of in these very words, and last who is in other forms of them or by a tag.
 * @returns null when nothing is left to look for
 */
export function searchFor(typed: string): Search | null {
  const phrases = phrasesOf(typed)
    .slice(0, MAX_PHRASES)
    .map((phrase): Phrase => ({ ...phrase, words: phrase.words.map(inHiragana) }));
  const last = phrases.at(-1);
  if (last === undefined) return null;
  const words = readWords(typed);
  const called = quoted([BEGINS, ...inName(words), ENDS]);
  const begins = beginningOf(words, last);
  const named = all(phrases.map((phrase) => quoted(inName(phrase.words), phrase.prefix)));
  const told = all(phrases.map((phrase) => quoted(phrase.words)));
  const whole = all(phrases.map(meaningOf));
  return {
    steps: [
      called,
      `${begins} NOT ${called}`,
      `${named} NOT ${begins}`,
      `${told} NOT ${named}`,
      `${whole} NOT (${told} OR ${named})`,
    ],
    whole,
  };
}
