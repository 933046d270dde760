/** How words about age and about sex are written down, and how a text is made comparable with them. Pure. */

import { isWestern } from './western-signs.ts';

/**
 * The words of one language. Each is the source of a regular expression over folded text: a blank stands for blanks,
 * hyphens and a comma, `N` for an age under 18, `T` for one from 11 to 17, `Y` for a year in which somebody was born who is
 * a minor, and `~` for any ending.
 */
export interface MinorWords {
  /** Whether words stand apart from each other. */
  spaced: boolean;
  /** Ages under 18, as words. */
  numbers: string;
  /** Ages from 11 to 17, as words. */
  teens: string;
  /** Phrases that hold some of these words and mean something else: they are passed over. */
  harmless: readonly string[];
  /** Ages of the past and of relatives: they count only beside an act. */
  loose: readonly string[];
  /** Says that somebody is a minor, or looks like one. */
  strong: readonly string[];
  /** May say it: counts only beside an act. */
  weak: readonly string[];
  /** What is done, or shown. */
  act: readonly string[];
  /** That it is about sex. */
  topic: readonly string[];
  /** Adults of a family in bed with each other: what their children do elsewhere is another thing. */
  couple?: readonly string[];
  /** A time that something lasted, pupils of a teacher: no age of a character; see `minorCharacterIn`. */
  aside?: readonly string[];
}

/** What is written down of one language apart from its first lists. */
export type MoreWords = Required<Omit<MinorWords, 'spaced' | 'numbers' | 'teens'>>;

/** One language's lists, with those that are written down apart. */
export const extended = (words: MinorWords, more: MoreWords): MinorWords => ({
  ...words,
  harmless: [...words.harmless, ...more.harmless],
  loose: [...words.loose, ...more.loose],
  strong: [...words.strong, ...more.strong],
  weak: [...words.weak, ...more.weak],
  act: [...words.act, ...more.act],
  topic: [...words.topic, ...more.topic],
  couple: more.couple,
  aside: more.aside,
});

const LOOK_ALIKES: Record<string, string> = {
  ...{
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    х: 'x',
    у: 'y',
    і: 'i',
    к: 'k',
    т: 't',
    м: 'm',
    н: 'h',
    ѕ: 's',
  },
  ...{ α: 'a', ε: 'e', ο: 'o', ι: 'i', κ: 'k', τ: 't', ν: 'v' },
};
const DIGIT_LETTERS: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
};

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Letters in a run, whole: asked from each of them anew what follows, a long run would take time by its square. */
const RUN = /[a-z\p{Script=Cyrillic}\p{Script=Greek}]+/gu;
const LATIN = /[a-z]/;
const NOT_LATIN = /[^a-z]/g;

/** A word of two scripts is one that hides. */
const unhidden = (run: string): string =>
  LATIN.test(run) ? run.replaceAll(NOT_LATIN, (letter) => LOOK_ALIKES[letter] ?? letter) : run;

const OTHER_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

const DIGIT_IN_WORD = /(?<=[a-z])[013457@$](?=[a-z])/g;

/** Letters without their marks, where they are Latin: people leave them out. */
function plainLetters(text: string): string {
  if (isWestern(text)) return text.replaceAll(/[‘’`]/g, "'");
  return text
    .normalize('NFKD')
    .replaceAll(/(?<=[a-zA-Z])[\u0300-\u036f]+/g, '')
    .normalize('NFKC')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('ё', 'е')
    .replaceAll(/[‘’ʼ`´]/g, "'");
}

/** A word that is written letter by letter. */
const SPELT = /(?<![a-z\d])[a-z](?:[\s._*-][a-z]){3,}(?![a-z\d])/g;

/** Long runs of what stands between words: each place in one would be looked through to its end. */
const GAPS = /[\s_,\-\u2010-\u2015]{3,}/g;

/** A text as the words are written. */
export function folded(text: string): string {
  const seen = isWestern(text) ? text : text.toWellFormed().replaceAll(UNSEEN, '');
  const plain = plainLetters(seen.toLowerCase())
    .replaceAll(GAPS, (gap) => (gap.includes('\n') ? '\n' : ' '))
    .replaceAll(SPELT, (word) => word.replaceAll(/[^a-z]/g, ''));
  const shown = OTHER_SCRIPT.test(plain) ? plain.replaceAll(RUN, unhidden) : plain;
  return shown.replaceAll(DIGIT_IN_WORD, (digit) => DIGIT_LETTERS[digit] ?? digit);
}

/**
 * The letters and marks of the languages that set words apart. Written out: property classes in so many places take a
 * second to be compiled.
 */
const LETTERS = 'a-z\u00df-\u024f\u0300-\u036f\u0400-\u052f\u0900-\u0963\u0970-\u097f';

const DIGITS = '(?<!\\d|\\d[.,])(?:1[0-7]|[3-9])(?![\\d%]|[.,]\\d)';

const TEENS = '(?<!\\d|\\d[.,])1[1-7](?![\\d%]|[.,]\\d)';

/** Who was born in one of these years is a minor, or was until their birthday. @param now milliseconds since 1970 */
function minorYears(now: number): string {
  const year = new Date(now).getUTCFullYear();
  return `(?<!\\d)(?:${Array.from({ length: 18 }, (_, age) => year - age).join('|')})(?!\\d)`;
}

function sourceOf(word: string, { spaced, numbers, teens }: MinorWords, years: string): string {
  const body = plainLetters(word)
    .replaceAll('~', `[${LETTERS}]*`)
    .replaceAll('N', () => `(?:${DIGITS}|${plainLetters(numbers)})`)
    .replaceAll('T', () => `(?:${TEENS}|${plainLetters(teens)})`)
    .replaceAll('Y', () => years)
    .replaceAll(' ', spaced ? '(?:[\\s_,\\-\u2010-\u2015]+)' : '(?:\\s*)');
  return `(?:${body})`;
}

type List = 'harmless' | 'loose' | 'strong' | 'weak' | 'act' | 'topic' | 'couple' | 'aside';

/** Expressions of more letters than 20,000 are compiled without being made quick, by the engine that all of this runs on. */
const LONGEST = 14_000;

/** Words in pieces that are short enough to be one expression each. */
function pieces(words: readonly string[]): string[][] {
  const all: string[][] = [];
  let length = Infinity;
  for (const word of words) {
    length += word.length + 1;
    if (length > LONGEST) {
      all.push([]);
      length = word.length;
    }
    all.at(-1)?.push(word);
  }
  return all;
}

/** The words of all languages, in few expressions: a text may be in any, and in several. */
function expressions(languages: readonly MinorWords[], list: List, years: string): RegExp[] {
  const of = (spaced: boolean) =>
    pieces(
      languages
        .filter((words) => words.spaced === spaced)
        .flatMap((words) => (words[list] ?? []).map((word) => sourceOf(word, words, years))),
    ).map((piece) => piece.join('|'));
  const apart = of(true).map((words) => `(?<![${LETTERS}\\d])(?:${words})(?![${LETTERS}\\d])`);
  return [...apart, ...of(false)].map((source) => new RegExp(source, 'g'));
}

export type MinorPatterns = Record<List, readonly RegExp[]>;

/** @param now milliseconds since 1970: years of birth are told by it */
export function patternsOf(languages: readonly MinorWords[], now: number): MinorPatterns {
  const years = minorYears(now);
  const of = (list: List) => expressions(languages, list, years);
  return {
    harmless: of('harmless'),
    loose: of('loose'),
    strong: of('strong'),
    weak: of('weak'),
    act: of('act'),
    topic: of('topic'),
    couple: of('couple'),
    aside: of('aside'),
  };
}
