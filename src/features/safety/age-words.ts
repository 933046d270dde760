import { memoizeRecent } from '../../lib/memoize-lru.ts';
import words from '../../../data/safety/ages.json' with { type: 'json' };

/** The words by which `ages.ts` recognises ages and children in twelve languages, compiled from data/safety/ages.json. */

/** Word lists of one language, in the output form of `normalizeText`. A phrase contains its words in order. */
interface AgeWords {
  /** The numbers three to seventeen; spellings are separated by `/`. */
  numbers?: string[];
  /** Number stems in compounds, where they differ: "pietnasto" in "pietnastoletni". */
  stems?: string[];
  /** After one of these, the next number belongs to the same number: "twenty five". */
  tens?: string[];
  /** After a number, these make it an age. */
  old?: string[];
  /** Endings of words that are both number and age: "fünfzehnjährig". */
  compound?: string[];
  /** After a number, these make it an age or a duration. */
  years?: string[];
  /** Like `years`, but only at the end of a phrase: "she is 14 years", not "she is three years sober". */
  closing?: string[];
  /** The ordinals of three to seventeen, for birthdays; spellings are separated by `/`. */
  ordinals?: string[];
  birthday?: string[];
  /** Before a number followed by `years`, these make it an age. */
  verbs?: string[];
  /** Before a number, these make it an age even without `years`. */
  before?: string[];
  /** Whether a number with `years` is an age unless the text marks it as a duration. */
  bare?: boolean;
  /** Near a number, these mark it as a duration or quantity. */
  duration?: string[];
  /** Directly before a number, these make it a time or a quantity. */
  prepositions?: string[];
  /** An expression for a name in the case of those whose age is stated: "Анне 14". */
  name?: string;
  relative: string[];
  /** Words for spouses and lovers. */
  partner: string[];
  past: string[];
  /** Past forms of "to be" and "to have": near an age they tell a story that happens at that age. */
  was?: string[];
  /** Present forms: after a word of `past`, as in "while she is 14", the age may still be one of the scene. */
  now?: string[];
  /** Between the words before a number and the number: "she is about 14". */
  about?: string[];
  /** Times between those words and the number, or after it: "she turned 14 yesterday". */
  when?: string[];
  /** Verbs after which a number with `years` is a duration, for languages in which it is an age without a verb. */
  lasting?: string[];
  /** People who work with children, and what they do. */
  teacher?: string[];
  /** Words about adults that sound young: first loves, small bodies. */
  grown?: string[];
  /** Phrases that say that someone is of age. */
  adults?: string[];
  /** Phrases of a notice to readers under 18, which is about no one in the text. */
  notice?: string[];
  /** Things that have an age, a number or a date: "the wine is 12 years old". */
  thing?: string[];
  /** Next to a number, these make it a date or an ordinal. */
  month?: string[];
  /** Between a word for a young person and a number: "a girl of fifteen". */
  of?: string[];
  /** After a number, these end the phrase as a comma would: "I am 14 and we", "13 and a half". */
  ends?: string[];
  /** After years, these make them a time ago: "born 14 years ago". */
  ago?: string[];
  /** Near a year, these mark it as a year of birth. */
  born?: string[];
  /** Near "18", these mean that someone is younger. */
  not?: string[];
  /** For scripts without spaces: expressions that mean under 18. */
  notYet?: string[];
  /** Words for children, for texts that state no age. */
  child: string[];
  /** Words for young people who may be adults. */
  youth?: string[];
  /** Very common words, used to detect the language of a text. */
  common?: string[];
  /** Unmistakably sexual acts and content. They count next to a stated age, and where the context shows a minor. */
  act: string[];
  /** In the same clause, these mean that an act does not happen: "no erotic scenes". */
  no: string[];
  /** For scripts without spaces: follow a number that is an age. */
  ages?: string[];
  /** For scripts without spaces: precede a number that is an age. */
  age?: string[];
  /** For scripts without spaces: precede a number that is an age if nothing follows it. */
  pronouns?: string[];
}

/** The value of the first entry of `numbers`. */
export const MIN_NUMBER_AGE = 3;

type PhraseIndex = Map<string, string[][]>;

/** A set of phrases of one or more words, indexed by first and last word on first use: most texts need few of the sets. */
export class Phrases {
  readonly #phrases: readonly string[];
  #first: PhraseIndex | undefined;
  #last: PhraseIndex | undefined;

  constructor(phrases: readonly string[] = []) {
    this.#phrases = phrases;
  }

  /** Sorts by length so that "lima belas" is found before "lima". */
  #index(position: 0 | -1): PhraseIndex {
    return Map.groupBy(
      this.#phrases.toSorted((one, other) => other.length - one.length).map((phrase) => phrase.split(' ')),
      (words) => words.at(position) as string,
    );
  }

  /** Number of words of the phrase that starts at this token; 0 if none does. */
  at(tokens: readonly Token[], index: number): number {
    const found = (this.#first ??= this.#index(0)).get(tokens[index]?.word ?? '');
    const phrase = found?.find((words) =>
      words.every((word, offset) => tokens[index + offset]?.word === word),
    );
    return phrase?.length ?? 0;
  }

  /** Number of words of the phrase that ends at this token; 0 if none does. */
  matchEndingAt(tokens: readonly Token[], index: number): number {
    const found = (this.#last ??= this.#index(-1)).get(tokens[index]?.word ?? '');
    const phrase = found?.find((words) =>
      words.every((word, offset) => tokens[index - words.length + 1 + offset]?.word === word),
    );
    return phrase?.length ?? 0;
  }
}

export interface Token {
  word: string;
  /** Whether punctuation separates this word from the previous one. */
  parted: boolean;
  /** That punctuation. */
  sign: string;
  /** Whether the word may begin a number or a phrase for a child, in any language that separates words by spaces. */
  isCandidate: boolean;
}

const TOKEN = /[\p{L}\p{M}]+|\p{N}+|[^\p{L}\p{M}\p{N}\s-]+/gu;

const IS_WORD = /^[\p{L}\p{N}]/u;
const IS_NUMBER = /^\p{N}/u;

/** Texts repeat their words. */
const isCandidateWord = memoizeRecent(2000, (word): boolean => {
  const { starts, stems } = getLanguages();
  return starts.has(word) || stems.test(word) || IS_NUMBER.test(word);
});

export function splitTokens(normalized: string): Token[] {
  const tokens: Token[] = [];
  let sign = '.';
  for (const word of normalized.match(TOKEN) ?? []) {
    if (IS_WORD.test(word)) {
      tokens.push({ word, parted: sign !== '', sign, isCandidate: isCandidateWord(word) });
      sign = '';
    } else sign = word;
  }
  return tokens;
}

const PHRASES = [
  'tens', 'old', 'years', 'verbs', 'before', 'duration', 'relative', 'partner', 'past', 'not', 'born', 'ends', 'child', 'youth',
  'was', 'about', 'thing', 'month', 'of', 'act', 'no', 'now', 'closing', 'birthday', 'when', 'lasting', 'teacher', 'grown', 'adults', 'notice', 'prepositions', 'ago',
] as const; // prettier-ignore

export interface LanguageWords extends Record<(typeof PHRASES)[number], Phrases> {
  numbers: Phrases;
  ordinals: Phrases;
  /** Words for years in any position. */
  units: Phrases;
  values: Map<string, number>;
  compounds: { start: string; value: number }[];
  compound: readonly string[];
  bare: boolean;
  name: RegExp | undefined;
  /** Whether tens and ones form one word: "vierundzwanzig", "ventiquattro". */
  hasTens: (word: string) => boolean;
  letters: RegExp;
}

/** A language that a text may be in. */
export interface LikelyLanguage extends LanguageWords {
  /** Whether the text is surely in this language; otherwise no language is more likely than another. */
  isKnown: boolean;
}

/** Words formed from tens and ones: "vierundzwanzig", "ventiquattro". */
const findJoinedTens = ({ tens = [] }: AgeWords): string[] =>
  tens.filter((each) => /^(?:venti|veinti|\w{3,}(?:zig|ssig|anta|enta))$/.test(each));

function compileLanguage(own: AgeWords, letters: RegExp): LanguageWords {
  const values = new Map<string, number>();
  const listed = (own.numbers ?? []).map((each) => each.split('/'));
  for (const [index, spellings] of listed.entries())
    for (const spelling of spellings) values.set(spelling, index + MIN_NUMBER_AGE);
  const joined = findJoinedTens(own);
  const stems = own.stems?.map((stem) => [stem]) ?? listed;
  return {
    ...(Object.fromEntries(PHRASES.map((name) => [name, new Phrases(own[name])])) as Record<
      (typeof PHRASES)[number],
      Phrases
    >),
    numbers: new Phrases([...values.keys()]),
    ordinals: new Phrases(own.ordinals?.flatMap((each) => each.split('/'))),
    units: new Phrases([...(own.years ?? []), ...(own.closing ?? [])]),
    values,
    compounds: stems.flatMap((starts, index) =>
      starts.map((start) => ({ start, value: index + MIN_NUMBER_AGE })),
    ),
    compound: own.compound ?? [],
    bare: own.bare ?? false,
    name: own.name === undefined ? undefined : new RegExp(own.name),
    hasTens: (word) => joined.some((tens) => word.endsWith(tens) || word.startsWith(tens)),
    letters,
  };
}

const LATIN = /[a-z]/;
const LETTERS: Readonly<Record<string, RegExp>> = { ru: /[\u0400-\u04ff]/, hi: /[\u0900-\u097fa-z]/ };

/** The languages that separate words by spaces. Japanese and Chinese are handled below. */
interface Languages {
  /** Each language in both forms, because copies would take longer than everything else. */
  known: LikelyLanguage[];
  unknown: LikelyLanguage[];
  /** By common word, the places of its languages in these lists. */
  common: Map<string, number[]>;
  /** The first words of numbers and of phrases for children, in any language. */
  starts: ReadonlySet<string>;
  /** Finds words that contain a number. */
  stems: RegExp;
}

function compileLanguages(): Languages {
  const spaced = Object.entries(words as Record<string, AgeWords>).filter(
    ([code]) => code !== 'ja' && code !== 'zh',
  );
  const languages = spaced.map(([code, own]) => compileLanguage(own, LETTERS[code] ?? LATIN));
  const common = new Map<string, number[]>();
  for (const [index, [, own]] of spaced.entries())
    for (const word of new Set(own.common)) common.set(word, [...(common.get(word) ?? []), index]);
  const lists = spaced.flatMap(([, { numbers = [], ordinals = [], tens = [], child }]) => [
    [...numbers, ...ordinals].flatMap((each) => each.split('/')),
    tens,
    child,
  ]);
  const joined = spaced.flatMap(([, own]) => findJoinedTens(own)).join('|');
  const compounds = spaced.flatMap(([, { compound = [] }]) => compound).join('|');
  return {
    known: languages.map((language) => ({ ...language, isKnown: true })),
    unknown: languages.map((language) => ({ ...language, isKnown: false })),
    common,
    starts: new Set(lists.flat().map((phrase) => phrase.split(' ', 1)[0] as string)),
    stems: new RegExp(`^(?:${joined})|(?:${joined})$|${compounds}`),
  };
}

let languagesCache: Languages | null = null;
const getLanguages = (): Languages => (languagesCache ??= compileLanguages());

/**
 * The languages of a sentence: the likely ones have the highest count of common words. A low count is weak evidence,
 * so then every language of the script is possible.
 */
export function findLikelyLanguages(
  normalized: string,
  tokens: readonly Token[],
): { languages: LikelyLanguage[]; findPossible: () => LikelyLanguage[] } {
  const { known, unknown, common } = getLanguages();
  const counts: number[] = known.map(({ letters }) => (letters.test(normalized) ? 0 : -1));
  for (const { word } of tokens)
    for (const index of common.get(word) ?? NONE)
      if ((counts[index] as number) >= 0) counts[index] = (counts[index] as number) + 1;
  const most = Math.max(0, ...counts);
  const isOne = most === 0 && counts.filter((count) => count === 0).length === 1;
  const languages = (most > 0 || isOne ? known : unknown).filter((_, index) => counts[index] === most);
  const findPossible = () =>
    most === 0 || most > MAX_WEAK_COUNT
      ? languages
      : counts.flatMap((count, index) =>
          count < 0 ? [] : [(count === most ? known : unknown)[index] as LikelyLanguage],
        );
  return { languages, findPossible };
}

/** Up to this number of common words, a sentence may be in another language. */
const MAX_WEAK_COUNT = 1;

export const isCommonWord = (word: string): boolean => getLanguages().common.has(word);

const NONE: readonly number[] = [];

/** Whether one of the phrases starts at a token from `from` to `to`. */
export function isNear(phrases: Phrases, tokens: readonly Token[], from: number, to: number): boolean {
  for (let index = Math.max(0, from); index <= Math.min(tokens.length - 1, to); index += 1)
    if (phrases.at(tokens, index) > 0) return true;
  return false;
}

const { ja, zh } = words as unknown as Record<'ja' | 'zh', AgeWords>;
const joinAlternatives = (lists: readonly (string[] | undefined)[]) =>
  lists.flatMap((list) => list ?? []).join('|');
/** A Chinese number of up to two digits. */
const NUMERAL = '\\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]';
let hanCache: Record<
  | 'young'
  | 'age'
  | 'relative'
  | 'partner'
  | 'past'
  | 'was'
  | 'child'
  | 'notYet'
  | 'born'
  | 'act'
  | 'no'
  | 'teacher'
  | 'grown'
  | 'adults'
  | 'notice',
  RegExp
> | null = null;
export const getHanWords = () =>
  (hanCache ??= {
    age: new RegExp(
      [
        `(?<![\\d.一二三四五六七八九十百大小差长]|差了|大了|小了)(${NUMERAL}) ?(?:${joinAlternatives([ja.ages, zh.ages])})(?!年[上下]|の?差|差|離|的差)`,
        `(?:${joinAlternatives([ja.age, zh.age])})[:：はが是有才刚 ]{0,3}(${NUMERAL})(?![\\d年月日号時时点分%％个個回人])`,
        `(?:${joinAlternatives([zh.pronouns])})(${NUMERAL})(?:了|啦)?$`,
        `(?:${joinAlternatives([ja.pronouns])})[はがも]?(${NUMERAL})(?:です|だよ|だ|なの|だけど|なんだ)?$`,
        `^(\\d{1,2})(?:です|だよ)$`,
        `(\\d{1,2})[の的](?:${joinAlternatives([ja.youth, zh.youth])})`,
        `(?:^|[「“])[ァ-ヶー]{2,8}[はが](1[0-7])(?:です|だよ|だ)?$`,
        `^(?!.?[房气温页编单价得比等第共约每电号楼层])[\\u4e00-\\u9fff]{2,3}(1[0-7])$`,
        `(${NUMERAL})(?:になったばかり|年前に?(?:生まれ|出生))`,
        `[\\u3041-\\u30fe\\u3400-\\u9fff][(（](1[0-7]|[3-9])[)）]`,
      ].join('|'),
      'g',
    ),
    relative: new RegExp(joinAlternatives([ja.relative, zh.relative])),
    partner: new RegExp(joinAlternatives([ja.partner, zh.partner])),
    past: new RegExp(joinAlternatives([ja.past, zh.past])),
    was: new RegExp(joinAlternatives([ja.was, zh.was])),
    child: new RegExp(joinAlternatives([ja.child, zh.child])),
    teacher: new RegExp(joinAlternatives([ja.teacher, zh.teacher])),
    grown: new RegExp(joinAlternatives([ja.grown, zh.grown])),
    adults: new RegExp(joinAlternatives([ja.adults, zh.adults])),
    notice: new RegExp(joinAlternatives([ja.notice, zh.notice])),
    young: new RegExp(joinAlternatives([ja.child, zh.child, ja.youth, zh.youth]), 'g'),
    notYet: new RegExp(joinAlternatives([ja.notYet, zh.notYet])),
    born: new RegExp(joinAlternatives([ja.born, zh.born])),
    act: new RegExp(joinAlternatives([ja.act, zh.act])),
    no: new RegExp(joinAlternatives([ja.no, zh.no])),
  });
