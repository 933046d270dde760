import { parseQuery, tokenize, type Phrase } from '../../search/search-words.ts';
import { findTag } from './tag-words.ts';
import { toHiragana, getStem } from './word-forms.ts';

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
const START_MARK = '^';
const END_MARK = '$';
const NAME_MARK = '=';
const FORM_MARK = '~';

/** The words of a text, or of what was typed, in their order. */
const normalizeWords = (text: string): string[] => tokenize(text).map(({ word }) => toHiragana(word));

/** The words of a character as its row in the index has them. */
export function buildIndexedWords(texts: { name: string; oneliner: string; summary: string | null }): string {
  const [name = [], ...others] = [texts.name, texts.oneliner, texts.summary ?? ''].map(normalizeWords);
  const fields = [name, ...others].map((words) => [...words, END_MARK]);
  const forms = new Set(
    [name, ...others].flat().map((word) => (getStem(word) === word ? '' : getStem(word))),
  );
  forms.delete('');
  return [
    START_MARK,
    ...name.map((word) => NAME_MARK + word),
    END_MARK,
    ...fields.flat(),
    ...[...forms].map((form) => FORM_MARK + form),
  ].join(' ');
}

/** Words hold no quotation marks (see search-words.ts): nothing that is typed can be an operator. */
const quotePhrase = (words: readonly string[], begins = false): string =>
  `"${words.join(' ')}"${begins ? ' *' : ''}`;
const addNameMark = (words: readonly string[]): string[] => words.map((word) => NAME_MARK + word);
const joinWithAnd = (terms: readonly string[]): string => `(${terms.join(' AND ')})`;

/** What was typed as the beginning of a name: all of it in a row, the last word perhaps not yet to its end. */
function buildPrefixTerm(words: readonly string[], last: Phrase): string {
  // The last sign of a script without spaces begins a pair: of what it goes on with, nothing is known yet.
  const row = words.at(-1) === last.words.at(-1) ? words : words.slice(0, -1);
  return quotePhrase([START_MARK, ...addNameMark(row)], last.prefix);
}

/** A phrase, what it may be the beginning of, its other forms, and the tag that it names. */
function buildMeaningTerm({ words, prefix }: Phrase): string {
  const meant = [quotePhrase(words, prefix)];
  const [word] = words;
  if (word !== undefined && words.length === 1) {
    const stem = getStem(word);
    if (stem !== word) meant.push(quotePhrase([stem]));
    meant.push(quotePhrase([FORM_MARK + stem]));
  }
  const tag = findTag(words);
  if (tag !== null) meant.push(quotePhrase([`#${tag}`]));
  return `(${meant.join(' OR ')})`;
}

/** What a person looks for, as expressions for FTS5's MATCH. */
export interface CharacterSearch {
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
export function parseSearch(typed: string): CharacterSearch | null {
  const phrases = parseQuery(typed)
    .slice(0, MAX_PHRASES)
    .map((phrase): Phrase => ({ ...phrase, words: phrase.words.map(toHiragana) }));
  const last = phrases.at(-1);
  if (last === undefined) return null;
  const words = normalizeWords(typed);
  const called = quotePhrase([START_MARK, ...addNameMark(words), END_MARK]);
  const begins = buildPrefixTerm(words, last);
  const named = joinWithAnd(phrases.map((phrase) => quotePhrase(addNameMark(phrase.words), phrase.prefix)));
  const told = joinWithAnd(phrases.map((phrase) => quotePhrase(phrase.words)));
  const whole = joinWithAnd(phrases.map(buildMeaningTerm));
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
