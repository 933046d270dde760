import { TEXT_LIMITS } from '../../config/text-limits.ts';

/** Of one message, in UTF-16 units: above what is sent, a bound for what is imported. */
export const MAX_INDEXED_CHARS = 20_000;
/** Of one word, in code points: no language's words are longer, and floods are cut. */
const MAX_WORD_CHARS = 40;
/** A word this short is looked for as it is: as a beginning it would stand for half the index. */
const MIN_PREFIX_CHARS = 2;
/** Folded clusters remembered at once; a bound for texts that are made to have many. */
const MAX_CACHED_CLUSTERS = 4000;

/** A word of a text as the index keeps it. Its index in the list of words is its position there. */
export interface Word {
  /** Folded: lower case, without accents. */
  word: string;
  /** Where it stands in the text, in UTF-16 units; of a pair, both its characters. */
  from: number;
  to: number;
  /** Of a pair, where its first character ends; else the same as `to`. */
  firstTo: number;
}

/** Words that have to stand one after another; with `prefix`, the last is the beginning of one. */
export interface Phrase {
  words: string[];
  prefix: boolean;
}

/** One folded code point and what of the text it came from. */
interface Letter {
  text: string;
  kind: Kind;
  from: number;
  to: number;
}
/** `pair`: of a script that is written without spaces. `sign`: a picture, a word by itself. */
type Kind = 'word' | 'pair' | 'sign' | 'gap';

/** What is read as one: Hangul in parts, or a character with the marks on it (the last two: halfwidth Kana's). */
const CLUSTERS = /(?:[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]{1,8}|.)[\p{M}\uff9e\uff9f]{0,32}/gsu;

const UNSPACED =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{M}\p{N}]]/v;
const LETTER_OR_NUMBER = /[\p{L}\p{M}\p{N}]/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ACCENT = /[\p{M}&&\p{sc=Inherited}]/v;
const ACCENTED = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u;

/** Letters that people type another way and that no decomposition tells of. */
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
  // Hindi: the dot that is often left out, and the two signs of a nasal vowel that stand for each other.
  '\u093c': '',
  '\u0901': '\u0902',
};

const VIRAMA = '\u094d';
const ANUSVARA = '\u0902';
/** Each nasal of Devanagari with the letters before which, without a vowel of its own, it is also written as a dot. */
const DOTTED_BEFORE: Readonly<Record<string, string>> = {
  ङ: 'कखगघ',
  ञ: 'चछजझ',
  ण: 'टठडढ',
  न: 'तथदध',
  म: 'पफबभ',
};

/** A letter without its accents. `й` is a letter of its own, not an accented one. */
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

/** हिन्दी and हिंदी are one word. @param next what follows the letters so far */
function normalizeNasal(letters: Letter[], next: string): void {
  if (letters.at(-1)?.text !== VIRAMA) return;
  const nasal = letters.at(-2);
  if (nasal !== undefined && DOTTED_BEFORE[nasal.text]?.includes(next) === true)
    letters.splice(-2, 2, { ...nasal, text: ANUSVARA });
}

/** Runs of letters of one kind; what lies between words is left out. */
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
 * Every character of such a script begins a word of the index: a pair with the next one, or, the run's last, itself
 * alone. So any two characters are found as a word, more of them as words in a row, and one as a word's beginning.
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
 * The words of a text in their order: case, accents, widths and signs that cannot be seen make no difference. Scripts
 * that are written without spaces give overlapping pairs of characters.
 * @param text what is beyond {@link MAX_INDEXED_CHARS} is not read; half characters are gaps
 */
export function tokenize(text: string): Word[] {
  return groupRuns(splitLetters(text.slice(0, MAX_INDEXED_CHARS))).flatMap((run) =>
    run[0]?.kind === 'pair' ? toPairs(run) : [toWord(run)],
  );
}

/** A text as the index takes it: its words and blanks, nothing else. */
export function toIndexedText(text: string): string {
  return tokenize(text)
    .map(({ word }) => word)
    .join(' ');
}

/** One piece of what was typed as a phrase; null when it holds no word. */
function parsePhrase(typed: string, last: boolean): Phrase | null {
  const runs = groupRuns(splitLetters(typed));
  const end = runs.at(-1);
  if (end === undefined) return null;
  const words = runs.flatMap((run) => (run[0]?.kind === 'pair' ? toPairs(run) : [toWord(run)]));
  const pairs = end[0]?.kind === 'pair';
  // Where what was typed ends, the text may go on: its last character is in the pair before already.
  if (pairs && end.length > 1) words.pop();
  const begins = pairs ? end.length === 1 : last && end[0]?.kind === 'word' && end.length >= MIN_PREFIX_CHARS;
  return { words: words.map(({ word }) => word), prefix: begins };
}

/** A text as one phrase that has to be found as it stands, whole words of it; null when it holds no word. */
export function parseExactPhrase(text: string): Phrase | null {
  return parsePhrase(text, false);
}

/**
 * What a person typed, as phrases that all have to be found: one for each word, one for what stands in quotes. The
 * last word may be the beginning of one. Empty when nothing is left to look for.
 */
export function parseQuery(typed: string): Phrase[] {
  const query = typed.slice(0, TEXT_LIMITS.searchQuery).replace(/[“”„‟〝〞＂«»‹›「」『』]/gu, '"');
  const phrases = new Map<string, Phrase>();
  // Every other piece stood between quotes; one that was never closed is words like any others.
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
 * Phrases as an expression for FTS5's MATCH. Words hold letters, marks, numbers and pictures alone and stand in
 * quotes: nothing that is typed can be an operator.
 */
export function buildMatchExpression(phrases: readonly Phrase[]): string {
  return phrases.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? ' *' : ''}`).join(' AND ');
}

/** A place in a text, in UTF-16 units, and which of the phrases stands there. */
export interface TextMatch {
  from: number;
  to: number;
  phrase: number;
}

/** Every place where one of the phrases stands, by the rules of the index, in the order of the text. */
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
