// Over 400 lines: one reader of ages for twelve languages; its words are data/safety/ages.json.
import words from '../../../data/safety/ages.json' with { type: 'json' };
import { normalizeText } from './text-features.ts';

/**
 * Finds the ages that a text gives, in digits or words of twelve languages, and whose they are. It knows numbers and a few
 * words around them, nothing else: what says that somebody is young in other ways is for the classifier. Pure, linear.
 */

/**
 * `present`: under 18, of somebody in the scene. `relative`: under 18, of a child, brother, dog of somebody. `past`: under
 * 18, of somebody who is older now. `adult`: 18 or more.
 */
export type AgeKind = 'present' | 'relative' | 'past' | 'adult';

/** Words as `normalizeText` leaves them; a phrase has its words in order. */
interface AgeWords {
  /** Three to seventeen. */
  numbers?: string[];
  /** How numbers begin in compounds, where that differs: "pietnasto" of "pietnastoletni". */
  stems?: string[];
  /** Behind a number of this kind, another one is part of it: "twenty five". */
  tens?: string[];
  /** Behind a number these make it an age. */
  old?: string[];
  /** Ends of words that are a number and an age at once: "fünfzehnjährig". */
  compound?: string[];
  /** Behind a number these make it an age or a time that something lasted. */
  years?: string[];
  /** Before a number and `years`, these make it an age. */
  verbs?: string[];
  /** Before a number these make it an age, also without `years`. */
  before?: string[];
  /** Whether a number with `years` is an age unless something says that it is a time. */
  bare?: boolean;
  /** Near a number these say that it is no age. */
  duration?: string[];
  relative: string[];
  past: string[];
  /** Behind a number these end it as a comma does: "thirteen and a half". */
  half?: string[];
  /** Near a year these say that somebody was born in it. */
  born?: string[];
  /** Near "18" these say that somebody is not yet as old. */
  not?: string[];
  /** For scripts without blanks: expressions that say so. */
  notYet?: string[];
  /** Words for children, for texts that say no age. */
  child: string[];
  /** Words for young people who may be adults. */
  youth?: string[];
  /** Some of the commonest words, by which a text's language is known. */
  common?: string[];
  /** For scripts without blanks: what follows a number that is an age. */
  ages?: string[];
  /** For scripts without blanks: what stands before a number that is an age. */
  age?: string[];
}

const ADULT = 18;
/** Tens say no more than that somebody is grown up. */
const SOME_ADULT = 40;
const OLDEST = 110;
const YOUNGEST = 3;

/** Phrases of one or more words, found by their first word. */
class Phrases {
  readonly #first = new Map<string, string[][]>();
  readonly #last = new Map<string, string[][]>();

  constructor(phrases: readonly string[] = []) {
    // Of "lima" and "lima belas" the longer one is found.
    for (const phrase of phrases.toSorted((one, other) => other.length - one.length)) {
      const words = phrase.split(' ');
      for (const [index, word] of [
        [this.#first, words[0]],
        [this.#last, words.at(-1)],
      ] as const)
        index.set(word as string, [...(index.get(word as string) ?? []), words]);
    }
  }

  /** How many words a phrase that begins here has; 0 where none does. */
  at(tokens: readonly Token[], index: number): number {
    const found = this.#first.get(tokens[index]?.word ?? '');
    const phrase = found?.find((words) =>
      words.every((word, offset) => tokens[index + offset]?.word === word),
    );
    return phrase?.length ?? 0;
  }

  /** How many words a phrase that ends here has; 0 where none does. */
  endingAt(tokens: readonly Token[], index: number): number {
    const found = this.#last.get(tokens[index]?.word ?? '');
    const phrase = found?.find((words) =>
      words.every((word, offset) => tokens[index - words.length + 1 + offset]?.word === word),
    );
    return phrase?.length ?? 0;
  }
}

interface Token {
  word: string;
  /** Whether a comma, a full stop or another sign stands between the word before and this one. */
  parted: boolean;
  /** That sign. */
  sign: string;
}

const TOKEN = /[\p{L}\p{M}]+|\p{N}+|[^\p{L}\p{M}\p{N}\s-]+/gu;

function splitTokens(normalized: string): Token[] {
  const tokens: Token[] = [];
  let sign = '.';
  for (const [found] of normalized.matchAll(TOKEN)) {
    if (/^[\p{L}\p{N}]/u.test(found)) {
      tokens.push({ word: found, parted: sign !== '', sign });
      sign = '';
    } else sign = found;
  }
  return tokens;
}

const PHRASES = [
  'tens', 'old', 'years', 'verbs', 'before', 'duration', 'relative', 'past', 'not', 'born', 'half', 'child', 'youth', 'common',
] as const; // prettier-ignore

interface Language extends Record<(typeof PHRASES)[number], Phrases> {
  numbers: Phrases;
  values: Map<string, number>;
  compounds: { start: string; value: number }[];
  compound: readonly string[];
  bare: boolean;
  letters: RegExp;
}

function compileLanguage(own: AgeWords, letters: RegExp): Language {
  const values = new Map<string, number>();
  const listed = (own.numbers ?? []).map((each) => each.split('/'));
  for (const [index, spellings] of listed.entries())
    for (const spelling of spellings) values.set(spelling, index + YOUNGEST);
  const stems = own.stems?.map((stem) => [stem]) ?? listed;
  return {
    ...(Object.fromEntries(PHRASES.map((name) => [name, new Phrases(own[name])])) as Record<
      (typeof PHRASES)[number],
      Phrases
    >),
    numbers: new Phrases([...values.keys()]),
    values,
    compounds: stems.flatMap((starts, index) => starts.map((start) => ({ start, value: index + YOUNGEST }))),
    compound: own.compound ?? [],
    bare: own.bare ?? false,
    letters,
  };
}

/** Languages that set words apart; Japanese and Chinese follow below. */
let compiled: Language[] | null = null;
const languages = (): Language[] =>
  (compiled ??= Object.entries(words as Record<string, AgeWords>)
    .filter(([code]) => code !== 'ja' && code !== 'zh')
    .map(([code, own]) =>
      compileLanguage(
        own,
        code === 'ru' ? /[\u0400-\u04ff]/ : code === 'hi' ? /[\u0900-\u097fa-z]/ : /[a-z]/,
      ),
    ));

/** The languages that a sentence may be in: those most of whose common words it has. */
function likelyLanguages(normalized: string, tokens: readonly Token[]): (Language & { isKnown: boolean })[] {
  const possible = languages().filter(({ letters }) => letters.test(normalized));
  const counts = possible.map(
    ({ common }) => tokens.filter((_, index) => common.at(tokens, index) > 0).length,
  );
  const most = Math.max(0, ...counts);
  return possible
    .filter((_, index) => counts[index] === most)
    .map((language) => ({ ...language, isKnown: most > 0 || possible.length === 1 }));
}

/** Right behind a number these make it a quantity. */
const QUANTITY = /^[%€$£¥°+*/×=:]/;
/** Right before a number these may make it an age of whom was just named. */
const APPOSITION = /^[,(—–|]/;

/** How many tokens before and behind a number are looked at. */
const NEAR = 4;

/** Whether one of the phrases begins near a token, within the same part of its sentence. */
function isNear(phrases: Phrases, tokens: readonly Token[], from: number, to: number): boolean {
  for (let index = Math.max(0, from); index <= Math.min(tokens.length - 1, to); index += 1)
    if (phrases.at(tokens, index) > 0) return true;
  return false;
}

/** Where the part of a sentence that has a token begins and ends: signs and gaps part it. */
function partAround(tokens: readonly Token[], index: number): [from: number, to: number] {
  let from = index;
  while (from > 0 && tokens[from]?.parted !== true) from -= 1;
  let to = index;
  while (to + 1 < tokens.length && tokens[to + 1]?.parted !== true) to += 1;
  return [from, to];
}

interface Number {
  value: number;
  /** How many tokens it takes. */
  size: number;
  /** Whether it is an age by itself. */
  isAge: boolean;
}

function numberAt(language: Language, tokens: readonly Token[], index: number): Number | null {
  const { word } = tokens[index] as Token;
  if (/^\p{N}/u.test(word)) {
    const value = Number(
      word.normalize('NFKC').replace(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x966)),
    );
    return { value, size: 1, isAge: false };
  }
  const size = language.numbers.at(tokens, index);
  if (size > 0) {
    const value = language.values.get(
      tokens
        .slice(index, index + size)
        .map((one) => one.word)
        .join(' '),
    );
    return value === undefined ? null : { value, size, isAge: false };
  }
  const tens = language.tens.at(tokens, index);
  if (tens > 0) return { value: SOME_ADULT, size: tens, isAge: false };
  if (!language.compound.some((end) => word.includes(end))) return null;
  const found = language.compounds.find(({ start }) =>
    language.compound.some((end) => word.startsWith(start + end)),
  );
  return found === undefined ? null : { value: found.value, size: 1, isAge: true };
}

/** The kinds of ages in one sentence of a language that sets words apart. */
function agesIn(
  language: Language & { isKnown: boolean },
  tokens: readonly Token[],
  year: number,
): AgeKind[] {
  const kinds: AgeKind[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const number = numberAt(language, tokens, index);
    if (number === null) continue;
    if (isYoungYear(number.value, year) && isNear(language.born, tokens, index - NEAR, index + NEAR)) {
      const [from, to] = partAround(tokens, index);
      kinds.push(isNear(language.relative, tokens, from, to) ? 'relative' : 'present');
    }
    if (number.value < YOUNGEST || number.value > OLDEST) continue;
    const isYoung = number.value < ADULT;
    if (isYoung && index > 0 && language.tens.endingAt(tokens, index - 1) > 0) continue;
    const next = index + number.size;
    if (isYoung && language.tens.at(tokens, next) > 0) continue;
    // "Not yet 18" is an age whatever stands around it.
    if (number.value === ADULT && isNear(language.not, tokens, index - NEAR, next + 2)) {
      kinds.push('present');
      continue;
    }
    const old = number.isAge ? 1 : language.old.at(tokens, next);
    const years = language.years.at(tokens, next);
    const isTime =
      old === 0 &&
      (QUANTITY.test(tokens[next]?.sign ?? '') ||
        isNear(language.duration, tokens, index - 2, index - 1) ||
        isNear(language.duration, tokens, next, next + 2));
    if (isTime) continue;
    const [from, to] = partAround(tokens, index);
    const isEnd =
      next >= tokens.length ||
      tokens[next]?.parted === true ||
      language.half.at(tokens, next) > 0 ||
      (years > 0 && next + years > to);
    const isSaid = index > 0 && language.before.endingAt(tokens, index - 1) > 0;
    // "Age: 14" needs no end behind it.
    const isLabel = isSaid && /^[:=]/.test(tokens[index]?.sign ?? '');
    const hasVerb = isNear(language.verbs, tokens, Math.max(from, index - 3), index - 1);
    const stands =
      APPOSITION.test(tokens[index]?.sign ?? '') &&
      isEnd &&
      index > 0 &&
      number.value > 9 &&
      isAlone(language, tokens, index) &&
      (language.isKnown || /^\p{N}/u.test((tokens[index] as Token).word));
    const isAge =
      old > 0 ||
      (years > 0 && (hasVerb || language.bare)) ||
      (isSaid && (isEnd || years > 0)) ||
      isLabel ||
      stands;
    if (!isAge) continue;
    if (!isYoung) {
      kinds.push('adult');
      continue;
    }
    const isPast = isNear(language.past, tokens, Math.max(from, index - NEAR), index - 1);
    const ofRelative = isNear(language.relative, tokens, from, Math.min(tokens.length - 1, to + 1));
    kinds.push(ofRelative ? 'relative' : isPast ? 'past' : 'present');
  }
  return kinds;
}

/** Whether somebody who was born in a year is under 18. @param year of today */
const isYoungYear = (born: number, year: number): boolean =>
  born <= year - YOUNGEST && born >= year - ADULT + 1;

/** "Lily, 14, lives next door": a number between commas, with no other number beside it. */
function isAlone(language: Language, tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const isNumber = (at: number) => tokens[at] !== undefined && numberAt(language, tokens, at) !== null;
  return before !== undefined && !isNumber(index - 1) && !isNumber(index + 1);
}

const HAN_DIGITS = '一二三四五六七八九';
/** The number that two or three Chinese numerals say. */
function parseHanNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const ten = text.includes('十') ? (tens === '' ? 1 : HAN_DIGITS.indexOf(tens as string) + 1) * 10 : 0;
  return ten + (ones === '' ? 0 : HAN_DIGITS.indexOf(ones as string) + 1);
}

const { ja, zh } = words as unknown as Record<'ja' | 'zh', AgeWords>;
const either = (lists: readonly (string[] | undefined)[]) => lists.flatMap((list) => list ?? []).join('|');
let han: Record<'young' | 'age' | 'relative' | 'past' | 'child' | 'notYet' | 'born', RegExp> | null = null;
const hanWords = () =>
  (han ??= {
    age: new RegExp(
      `(?<![\\d.一二三四五六七八九十百])(\\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[三四五六七八九]) ?(?:${either([ja.ages, zh.ages])})|(?:${either([ja.age, zh.age])})[:：は是 ]{0,3}(\\d{1,2}|十[一二三四五六七八九]?)(?!\\d)`,
      'g',
    ),
    relative: new RegExp(either([ja.relative, zh.relative])),
    past: new RegExp(either([ja.past, zh.past])),
    child: new RegExp(either([ja.child, zh.child])),
    young: new RegExp(either([ja.child, zh.child, ja.youth, zh.youth]), 'g'),
    notYet: new RegExp(either([ja.notYet, zh.notYet])),
    born: new RegExp(either([ja.born, zh.born])),
  });

const HAN_PART = /[、，,;；。！？!?\n]/;

function hanAgesIn(text: string, year: number): AgeKind[] {
  const { age, relative, past, notYet, born } = hanWords();
  const kinds: AgeKind[] = notYet.test(text) ? ['present'] : [];
  for (const part of text.split(HAN_PART)) {
    const years = born.test(part) ? (part.match(/\d{4}/g) ?? []) : [];
    if (years.some((each) => isYoungYear(Number(each), year)))
      kinds.push(relative.test(part) ? 'relative' : 'present');
    for (const match of part.matchAll(age)) {
      const value = parseHanNumber(match[1] ?? match[2] ?? '');
      if (value < YOUNGEST) continue;
      if (value >= ADULT) kinds.push('adult');
      else
        kinds.push(
          relative.test(part) ? 'relative' : past.test(part.slice(match.index)) ? 'past' : 'present',
        );
    }
  }
  return kinds;
}

const HAN = /[\u3041-\u30fe\u3400-\u9fff]/;

/** The kinds of ages that a sentence gives. @param year of today, for years of birth */
export function readAges(sentence: string, year = new Date().getUTCFullYear()): AgeKind[] {
  const normalized = normalizeText(sentence);
  const kinds = HAN.test(normalized) ? hanAgesIn(normalized, year) : [];
  if (!/\p{N}|\p{L}/u.test(normalized)) return kinds;
  const tokens = splitTokens(normalized);
  for (const language of likelyLanguages(normalized, tokens)) kinds.push(...agesIn(language, tokens, year));
  return kinds;
}

/** Whether a sentence names somebody's child, brother, sister or pet. */
export function namesRelative(sentence: string): boolean {
  const normalized = normalizeText(sentence);
  if (HAN.test(normalized) && hanWords().relative.test(normalized)) return true;
  const tokens = splitTokens(normalized);
  return likelyLanguages(normalized, tokens).some(({ relative }) =>
    isNear(relative, tokens, 0, tokens.length - 1),
  );
}

/** Whether a sentence, or a part of one, names a child. */
export function namesChild(sentence: string): boolean {
  const normalized = normalizeText(sentence);
  if (HAN.test(normalized) && hanWords().child.test(normalized)) return true;
  const tokens = splitTokens(normalized);
  return likelyLanguages(normalized, tokens).some(({ child }) => isNear(child, tokens, 0, tokens.length - 1));
}

/** Whether a sentence names a child or an age under 18, whoever's it is. */
export const namesYoung = (sentence: string): boolean =>
  namesChild(sentence) || readAges(sentence).some((kind) => kind !== 'adult');

/**
 * A sentence without its words for children and ages, as a whole and in the pieces between them: no text that the classifier
 * learned from has a child beside something sexual, so those words alone make it think that nothing sexual is said.
 */
export function withoutChildren(sentence: string): string[] {
  const normalized = normalizeText(sentence);
  const signs = HAN.test(normalized)
    ? normalized.replaceAll(hanWords().age, ' ').replaceAll(hanWords().young, ' ')
    : normalized;
  const tokens = splitTokens(signs);
  const isLeftOut = new Set<number>();
  for (const language of likelyLanguages(signs, tokens))
    for (let index = 0; index < tokens.length; index += 1) {
      const number = numberAt(language, tokens, index);
      const next = index + (number?.size ?? 0);
      const [before, after] =
        number === null
          ? [0, Math.max(language.child.at(tokens, index), language.youth.at(tokens, index))]
          : [
              index > 0 ? language.before.endingAt(tokens, index - 1) : 0,
              number.size + Math.max(language.old.at(tokens, next), language.years.at(tokens, next)),
            ];
      for (let at = index - before; at < index + after; at += 1) isLeftOut.add(at);
    }
  const pieces: string[][] = [[]];
  for (const [index, { word, parted }] of tokens.entries()) {
    if (isLeftOut.has(index)) pieces.push([]);
    else pieces.at(-1)?.push(parted && index > 0 ? `, ${word}` : word);
  }
  const said = pieces.filter(({ length }) => length > 1).map((words) => words.join(' '));
  return said.length > 1 ? [pieces.flat().join(' '), ...said] : [pieces.flat().join(' ')];
}
