import { TEXT_LIMITS } from '../../config/text-limits.ts';

/** UTF-16 units per message: more than can be sent; limits imported messages. */
export const MAX_INDEXED_CHARS = 20_000;
/** Code points per word: longer than any real word; cuts floods. */
const MAX_WORD_CHARS = 40;
/** Shorter words match only exactly, because as a prefix they would match half of the index. */
const MIN_PREFIX_CHARS = 2;
/** Size of the cache of folded clusters, bounded against texts made to contain many. */
const MAX_CACHED_CLUSTERS = 4000;

/** An indexed word of a text. Its position in the list of words is its position in the index. */
export interface Word {
  /** Folded: lower case, without accents. */
  word: string;
  /** Range in the text in UTF-16 units; for a pair, both characters. */
  from: number;
  to: number;
  /** For a pair, the end of its first character; otherwise equal to `to`. */
  firstTo: number;
}

/** Consecutive words; with `prefix`, the last one may be the beginning of a word. */
export interface Phrase {
  words: string[];
  prefix: boolean;
}

/** One folded code point and its range in the original text. */
interface Letter {
  text: string;
  kind: Kind;
  from: number;
  to: number;
}
/** `pair`: belongs to a script without spaces. `sign`: a pictograph, a word of its own. */
type Kind = 'word' | 'pair' | 'sign' | 'gap';

/** A unit for folding: Hangul jamo, or a character with its marks (the last two are those of halfwidth kana). */
const CLUSTERS = /(?:[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]{1,8}|.)[\p{M}\uff9e\uff9f]{0,32}/gsu;

const UNSPACED =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{M}\p{N}]]/v;
const LETTER_OR_NUMBER = /[\p{L}\p{M}\p{N}]/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ACCENT = /[\p{M}&&\p{sc=Inherited}]/v;
const ACCENTED = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u;

/** Letters that people type differently and that Unicode decomposition does not cover. */
const CHAR_FOLDS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  // Hindi: the nukta, which is often left out, and candrabindu, which is interchangeable with anusvara.
  '\u093c': '',
  '\u0901': '\u0902',
};

const VIRAMA = '\u094d';
const ANUSVARA = '\u0902';
/** Devanagari nasals, and the consonants before which a nasal with virama is also written as anusvara. */
const DOTTED_BEFORE: Readonly<Record<string, string>> = {
  ङ: 'कखगघ',
  ञ: 'चछजझ',
  ण: 'टठडढ',
  न: 'तथदध',
  म: 'पफबभ',
};

/** Strips accents from a letter. `й` is a letter of its own, not an accented one. */
function stripAccents(char: string): string {
  if (char === 'й' || !ACCENTED.test(char)) return char;
  return char.normalize('NFD').replace(/\p{M}/gu, '');
}

function foldCluster(cluster: string): { text: string; kind: Kind }[] {
  const letters: { text: string; kind: Kind }[] = [];
  for (const char of cluster.normalize('NFKC').toLowerCase().normalize('NFKC')) {
    if (INVISIBLE.test(char) || ACCENT.test(char)) continue;
    for (const plain of stripAccents(char)) {
      for (const text of CHAR_FOLDS[plain] ?? plain) letters.push({ text, kind: classifyChar(text) });
    }
  }
  return letters;
}

function classifyChar(char: string): Kind {
  if (UNSPACED.test(char)) return 'pair';
  if (LETTER_OR_NUMBER.test(char)) return 'word';
  return PICTURE.test(char) ? 'sign' : 'gap';
}

const clusterCache = new Map<string, { text: string; kind: Kind }[]>();

function splitLetters(text: string): Letter[] {
  const letters: Letter[] = [];
  for (const match of text.matchAll(CLUSTERS)) {
    const [cluster] = match;
    let known = clusterCache.get(cluster);
    if (known === undefined) {
      if (clusterCache.size >= MAX_CACHED_CLUSTERS) clusterCache.clear();
      known = foldCluster(cluster);
      clusterCache.set(cluster, known);
    }
    const to = match.index + cluster.length;
    for (const letter of known) {
      normalizeNasal(letters, letter.text);
      letters.push({ ...letter, from: match.index, to });
    }
  }
  return letters;
}

/** Makes हिन्दी and हिंदी the same word. @param next the code point that follows */
function normalizeNasal(letters: Letter[], next: string): void {
  if (letters.at(-1)?.text !== VIRAMA) return;
  const nasal = letters.at(-2);
  if (nasal !== undefined && DOTTED_BEFORE[nasal.text]?.includes(next) === true)
    letters.splice(-2, 2, { ...nasal, text: ANUSVARA });
}

/** Groups letters into runs of one kind and drops the gaps between words. */
function groupRuns(letters: readonly Letter[]): Letter[][] {
  const runs: Letter[][] = [];
  let kind: Kind = 'gap';
  for (const letter of letters) {
    if (letter.kind !== 'gap') {
      if (letter.kind === kind && kind !== 'sign') runs.at(-1)?.push(letter);
      else runs.push([letter]);
    }
    kind = letter.kind;
  }
  return runs;
}

/**
 * Every character starts an indexed word: a pair with its successor, or itself alone at the end of a run. This way two
 * characters match as a word, more as consecutive words, and one as a prefix.
 */
function toPairs(run: readonly Letter[]): Word[] {
  return run.map((letter, index) => {
    const next = run[index + 1];
    return {
      word: letter.text + (next?.text ?? ''),
      from: letter.from,
      to: next?.to ?? letter.to,
      firstTo: letter.to,
    };
  });
}

function toWord(run: readonly Letter[]): Word {
  const { from } = run[0] as Letter;
  const { to } = run.at(-1) as Letter;
  const word = run
    .slice(0, MAX_WORD_CHARS)
    .map(({ text }) => text)
    .join('');
  return { word, from, to, firstTo: to };
}

/**
 * Splits a text into words, ignoring case, accents, character width and invisible characters. Scripts without spaces
 * yield overlapping pairs of characters.
 * @param text read up to {@link MAX_INDEXED_CHARS}; lone surrogates are gaps
 */
export function tokenize(text: string): Word[] {
  return groupRuns(splitLetters(text.slice(0, MAX_INDEXED_CHARS))).flatMap((run) =>
    run[0]?.kind === 'pair' ? toPairs(run) : [toWord(run)],
  );
}

/** The indexed form of a text: its words, separated by spaces. */
export function toIndexedText(text: string): string {
  return tokenize(text)
    .map(({ word }) => word)
    .join(' ');
}

/** Parses one piece of a query into a phrase; null when it contains no word. */
function parsePhrase(typed: string, last: boolean): Phrase | null {
  const runs = groupRuns(splitLetters(typed));
  const end = runs.at(-1);
  if (end === undefined) return null;
  const words = runs.flatMap((run) => (run[0]?.kind === 'pair' ? toPairs(run) : [toWord(run)]));
  const pairs = end[0]?.kind === 'pair';
  // The text may continue after the query, and the pair before already contains the last character.
  if (pairs && end.length > 1) words.pop();
  const begins = pairs ? end.length === 1 : last && end[0]?.kind === 'word' && end.length >= MIN_PREFIX_CHARS;
  return { words: words.map(({ word }) => word), prefix: begins };
}

/** Parses a text into one phrase of whole words that must match exactly; null when it contains no word. */
export function parseExactPhrase(text: string): Phrase | null {
  return parsePhrase(text, false);
}

/**
 * Parses a query into phrases that must all match: one per word, and one per quoted text. The last word also matches as a
 * prefix. Empty when the query contains no word.
 */
export function parseQuery(typed: string): Phrase[] {
  const query = typed.slice(0, TEXT_LIMITS.searchQuery).replace(/[“”„‟〝〞＂«»‹›「」『』]/gu, '"');
  const phrases = new Map<string, Phrase>();
  // Odd pieces are inside quotes; an unclosed quote counts as plain words.
  const pieces = query.split('"');
  const open = pieces.length % 2 === 0 ? pieces.length - 1 : -1;
  const chunks = pieces.flatMap((piece, index) =>
    index % 2 === 1 && index !== open
      ? [{ text: piece, quoted: true }]
      : piece.split(/\s+/u).map((text) => ({ text, quoted: false })),
  );
  const filled = chunks.filter(({ text }) => text.trim() !== '');
  for (const [index, { text, quoted }] of filled.entries()) {
    const phrase = parsePhrase(text, !quoted && index === filled.length - 1);
    if (phrase !== null) phrases.set(`${phrase.words.join(' ')}${phrase.prefix ? '*' : ''}`, phrase);
  }
  return [...phrases.values()];
}

/**
 * Builds an FTS5 MATCH expression. Words contain only letters, marks, digits and pictographs and are quoted, so user
 * input cannot act as an operator.
 */
export function buildMatchExpression(phrases: readonly Phrase[]): string {
  return phrases.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? ' *' : ''}`).join(' AND ');
}

/** A match of a phrase in a text, in UTF-16 units; `phrase` is the index of the phrase. */
export interface TextMatch {
  from: number;
  to: number;
  phrase: number;
}

/** Finds all matches of the phrases by the rules of the index, in text order. */
export function findMatches(words: readonly Word[], phrases: readonly Phrase[]): TextMatch[] {
  const places: TextMatch[] = [];
  for (const [start, first] of words.entries()) {
    for (const [phrase, { words: phraseWords, prefix }] of phrases.entries()) {
      const isMatch = phraseWords.every((word, offset) => {
        const here = words[start + offset]?.word;
        return prefix && offset === phraseWords.length - 1 ? here?.startsWith(word) : here === word;
      });
      if (!isMatch) continue;
      const end = words[start + phraseWords.length - 1] as Word;
      const onlyFirst = prefix && end.word !== phraseWords.at(-1);
      places.push({ from: first.from, to: onlyFirst ? end.firstTo : end.to, phrase });
    }
  }
  return places;
}
