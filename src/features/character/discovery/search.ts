import { parseQuery, tokenize, type Phrase } from '../../search/search-words.ts';
import { SPELLING } from '../limits.ts';
import { getMaxEdits } from './spelling.ts';
import { findTag } from './tag-words.ts';
import { toHiragana, getStem } from './word-forms.ts';

/*
 * A character in the search index is a row of words, built here and not by SQLite:
 *
 *   ^ =mira =holm $ mira holm $ keeper of the last lighthouses $ … $ ~lighthous
 *
 * First its name between `^` and `$`, marked with `=`; then name, tagline, summary and free tags as they are, separated so
 * that no phrase spans two of them; then stems that differ from their words. What lists are filtered by is stored in
 * addition: tags as #tag, free tags as ## with the hexadecimal bytes, which keep any tag one word, and the language as #=de.
 */

/**
 * Increase it with every change of these rules, of word-forms.ts or of search-words.ts: words of older versions are
 * rebuilt.
 */
export const WORDS_VERSION = 3;

/** Enough for a name and a trait; more would only load the index. */
const MAX_PHRASES = 8;
const START_MARK = '^';
const END_MARK = '$';
const NAME_MARK = '=';
const FORM_MARK = '~';

/** Returns the normalised words of a text or query, in order. */
const normalizeWords = (text: string): string[] => tokenize(text).map(({ word }) => toHiragana(word));

/** The texts by which a character is found. */
export interface SearchTexts {
  name: string;
  oneliner: string;
  summary: string | null;
  freeTags: readonly string[];
}

/** Builds the words of a character's row in the index. */
export function buildIndexedWords({ freeTags, ...texts }: SearchTexts): string {
  const [name = [], ...others] = [texts.name, texts.oneliner, texts.summary ?? '', ...freeTags].map(
    normalizeWords,
  );
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

/** Words contain no quotation marks (see search-words.ts), so a query cannot contain operators. */
const quotePhrase = (words: readonly string[], begins = false): string =>
  `"${words.join(' ')}"${begins ? ' *' : ''}`;
const addNameMark = (words: readonly string[]): string[] => words.map((word) => NAME_MARK + word);
const joinWithAnd = (terms: readonly string[]): string => `(${terms.join(' AND ')})`;

/** Builds the term for a query as the start of a name: all words in sequence, where the last one may be incomplete. */
function buildPrefixTerm(words: readonly string[], last: Phrase): string {
  // In a script without spaces, the last character starts a pair whose second character is not known yet.
  const row = words.at(-1) === last.words.at(-1) ? words : words.slice(0, -1);
  return quotePhrase([START_MARK, ...addNameMark(row)], last.prefix);
}

/** Builds the term for a phrase: the phrase itself or its prefix, its other forms, and the tag that it names. */
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

/** Returns the words of a character by which misspelled ones are corrected: those of its name and its free tags. */
export const listSpelledWords = ({ name, freeTags }: Pick<SearchTexts, 'name' | 'freeTags'>): string[] =>
  [...new Set([name, ...freeTags].flatMap(normalizeWords))]
    .filter((word) => getMaxEdits(word) > 0)
    .slice(0, SPELLING.maxWords);

/** Parses a query into at most as many phrases as are searched for. */
const parsePhrases = (typed: string): Phrase[] =>
  parseQuery(typed)
    .slice(0, MAX_PHRASES)
    .map((phrase): Phrase => ({ ...phrase, words: phrase.words.map(toHiragana) }));

/** Returns the words of a query that may be misspelled: those that stand alone. */
export const listTypedWords = (typed: string): string[] =>
  parsePhrases(typed).flatMap(({ words }) => (words.length === 1 ? words : []));

/**
 * Builds the expression of a query with its words or those that they may mean.
 * @param meant by the typed words
 * @returns null when no typed word may mean another one
 */
export function buildCorrectedSearch(
  typed: string,
  meant: ReadonlyMap<string, readonly string[]>,
): string | null {
  const phrases = parsePhrases(typed);
  const getCandidates = ({ words }: Phrase) => (words.length === 1 ? (meant.get(words[0] ?? '') ?? []) : []);
  if (phrases.every((phrase) => getCandidates(phrase).length === 0)) return null;
  return joinWithAnd(
    phrases.map((phrase) => {
      const others = getCandidates(phrase).map((word) => buildMeaningTerm({ words: [word], prefix: false }));
      return `(${[buildMeaningTerm(phrase), ...others].join(' OR ')})`;
    }),
  );
}

/** A user's search, as expressions for FTS5's MATCH. */
export interface CharacterSearch {
  /** From most to least relevant. No step finds a result of an earlier one, and together they find everything. */
  steps: readonly string[];
  /** Everything in one expression. */
  whole: string;
}

/**
 * Parses a query. In order of relevance: characters of that name, then names that start with it, names that contain all
 * of it, texts with these exact words, and last other forms of the words, or tags.
 * @returns null when the query has no words
 */
export function parseSearch(typed: string): CharacterSearch | null {
  const phrases = parsePhrases(typed);
  const last = phrases.at(-1);
  if (last === undefined) return null;
  const words = normalizeWords(typed);
  const called = quotePhrase([START_MARK, ...addNameMark(words), END_MARK]);
  const begins = buildPrefixTerm(words, last);
  const named = joinWithAnd(phrases.map((phrase) => quotePhrase(addNameMark(phrase.words), phrase.prefix)));
  const expression = joinWithAnd(phrases.map((phrase) => quotePhrase(phrase.words)));
  const whole = joinWithAnd(phrases.map(buildMeaningTerm));
  return {
    steps: [
      called,
      `${begins} NOT ${called}`,
      `${named} NOT ${begins}`,
      `${expression} NOT ${named}`,
      `${whole} NOT (${expression} OR ${named})`,
    ],
    whole,
  };
}
