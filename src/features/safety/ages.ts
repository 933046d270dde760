import { memoizeLru } from '../../lib/memoize-lru.ts';
import {
  getHanWords,
  isNear,
  type LanguageWords,
  type LikelyLanguage,
  type Phrases,
  findLikelyLanguages,
  splitTokens,
  type Token,
  MIN_NUMBER_AGE,
} from './age-words.ts';
import { normalizeText } from './text-features.ts';

/**
 * Finds ages in a text, as digits or number words of twelve languages, and who they belong to. It uses numbers and a few
 * words around them only; other signs of a young person are left to the classifier. Pure, linear time.
 */

/**
 * - `present`: under 18, someone in the scene.
 * - `relative`: under 18, someone's child, sibling or pet.
 * - `past`: under 18, a person who has grown up since.
 * - `narrated`: under 18, in the past tense: a story about someone of that age, or a memory of a grown-up.
 * - `adult`: 18 or older.
 * - `duration`: not an age, but a time, a date or a quantity, such as "15 years ago".
 */
export type AgeKind = 'present' | 'relative' | 'past' | 'narrated' | 'adult' | 'duration';

const ADULT_AGE = 18;
/** Value for number words of tens, which only show that the person is an adult. */
const ASSUMED_ADULT_AGE = 40;
const MAX_AGE = 110;

/** Directly after a number, these make it a quantity. */
const QUANTITY = /^[%€$£¥°+*/×=:]/;
/** Directly before a number, these may make it the age of the person just named. */
const APPOSITION = /^[,(—–|]/;

/** Tokens to look at before and after a number. */
const NEAR_TOKENS = 4;

/** Tokens of a date before its year: "nascimento: 4 de julho de 1990". */
const DATE_TOKENS = 6;

/** The bounds of the clause around a token, delimited by punctuation. */
function findPartBounds(tokens: readonly Token[], index: number): [from: number, to: number] {
  let from = index;
  while (from > 0 && tokens[from]?.parted !== true) from -= 1;
  let to = index;
  while (to + 1 < tokens.length && tokens[to + 1]?.parted !== true) to += 1;
  return [from, to];
}

interface ParsedNumber {
  value: number;
  /** Number of tokens. */
  size: number;
  /** Whether the word is an age by itself, such as "fünfzehnjährig". */
  isAge: boolean;
}

function parseNumberAt(
  language: LanguageWords,
  tokens: readonly Token[],
  index: number,
): ParsedNumber | null {
  const { word, isCandidate } = tokens[index] as Token;
  if (!isCandidate) return null;
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
  if (tens > 0)
    return {
      value: ASSUMED_ADULT_AGE,
      size: tens + countOnesTokens(language, tokens, index + tens),
      isAge: false,
    };
  // "vierundzwanzig", "ventiquattro"
  if (language.hasTens(word)) return { value: ASSUMED_ADULT_AGE, size: 1, isAge: false };
  if (!language.compound.some((end) => word.includes(end))) return null;
  const found = language.compounds.find(({ start }) =>
    language.compound.some((end) => word.startsWith(start + end)),
  );
  return found === undefined ? null : { value: found.value, size: 1, isAge: true };
}

/** Number of tokens after tens that belong to the same number: "twenty four", "vingt et un", "двадцать один". */
function countOnesTokens(language: LanguageWords, tokens: readonly Token[], index: number): number {
  for (let size = 0; size <= 2; size += 1)
    if (language.old.at(tokens, index + size) > 0 || language.years.at(tokens, index + size) > 0) return size;
  return 0;
}

/** Finds the ages in a sentence of a language that separates words by spaces. */
function findAges(language: LikelyLanguage, tokens: readonly Token[], year: number): AgeKind[] {
  const kinds: AgeKind[] = [];
  let behind = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    // Skip words inside the previous number: "neuf" in "dix neuf".
    const number = index < behind ? null : parseNumberAt(language, tokens, index);
    if (number === null) continue;
    behind = index + number.size;
    if (
      isYoungYear(number.value, year) &&
      isNear(language.born, tokens, index - NEAR_TOKENS, index + NEAR_TOKENS)
    ) {
      const [from, to] = findPartBounds(tokens, index);
      kinds.push(isNear(language.relative, tokens, from, to) ? 'relative' : 'present');
    }
    if (
      isAdultYear(number.value, year) &&
      isNear(language.born, tokens, index - DATE_TOKENS, index + NEAR_TOKENS)
    )
      kinds.push('adult');
    if (number.value < 1 || number.value > MAX_AGE) continue;
    const isYoung = number.value < ADULT_AGE;
    if (isYoung && index > 0 && language.tens.matchEndingAt(tokens, index - 1) > 0) continue;
    const next = index + number.size;
    if (isYoung && language.tens.at(tokens, next) > 0) continue;
    // "Not yet 18" is an age in any context.
    if (number.value === ADULT_AGE && isNear(language.not, tokens, index - NEAR_TOKENS, next + 2)) {
      kinds.push('present');
      continue;
    }
    const old = number.isAge ? 1 : language.old.at(tokens, next);
    const years = language.years.at(tokens, next);
    const [from, to] = findPartBounds(tokens, index);
    const isThing =
      isNear(language.thing, tokens, Math.max(from, index - 2), index - 1) ||
      language.thing.at(tokens, next + Math.max(old, years)) > 0;
    const isDate = language.month.at(tokens, next) > 0 || language.month.matchEndingAt(tokens, index - 1) > 0;
    const isTime =
      isThing ||
      (old === 0 &&
        (isDate ||
          QUANTITY.test(tokens[next]?.sign ?? '') ||
          language.duration.matchEndingAt(tokens, index - 1) > 0 ||
          isNear(language.duration, tokens, index - 2, index - 1) ||
          isNear(language.duration, tokens, next, Math.min(next + years, to))));
    if (isTime) {
      const isCounted = isThing || isDate || language.duration.at(tokens, next) > 0;
      if (number.value > 2 && (isCounted || (years > 0 && number.value > 9))) kinds.push('duration');
      continue;
    }
    const closes = next + years > to;
    const isEnd = closes || language.ends.at(tokens, next + years) > 0;
    const isSaid = isAfter(language, language.before, tokens, index);
    // "Age: 14" needs nothing after it.
    const isLabel = isSaid && /^[:=]/.test(tokens[index]?.sign ?? '');
    const hasVerb = isNear(language.verbs, tokens, Math.max(from, index - 3), index - 1);
    const isApposition =
      APPOSITION.test(tokens[index]?.sign ?? '') &&
      isEnd &&
      index > 0 &&
      // Accept "Anna, 7, opens the door", but not a list of numbers.
      (number.value > 9 || index === 1) &&
      isAlone(language, tokens, index) &&
      (language.isKnown || /^\p{N}/u.test((tokens[index] as Token).word));
    // "Three years I waited" is a duration.
    const opens = index === from && !closes;
    // One or two years are far more often a duration than the age of a child.
    const isInfant = number.value < MIN_NUMBER_AGE;
    const isOfPerson = isAgeOfPerson(language, tokens, index);
    const isAge =
      old > 0 ||
      isLabel ||
      (isOfPerson && !isInfant) ||
      (isInfant
        ? (years > 0 && hasVerb && closes) || (isApposition && index === 1 && behind < tokens.length)
        : (years > 0 && (hasVerb || (language.bare && !opens))) ||
          (isSaid && (isEnd || years > 0)) ||
          isApposition);
    if (!isAge) continue;
    if (!isYoung) {
      kinds.push('adult');
      continue;
    }
    const isPast = isNear(language.past, tokens, Math.max(from, index - NEAR_TOKENS), index - 1);
    // An age right after a comma belongs to the people just named: "a mother of two boys, aged 6 and 9".
    const named = index - from <= 1 && from > 0 ? findPartBounds(tokens, from - 1)[0] : from;
    const ofRelative = isNear(language.relative, tokens, named, Math.min(tokens.length - 1, to + 1));
    const isNarrated = isNear(language.was, tokens, Math.max(from, index - NEAR_TOKENS), index - 1);
    const isNow =
      !isNarrated &&
      isNear(language.now, tokens, Math.max(from, index - NEAR_TOKENS), Math.min(to, next + NEAR_TOKENS));
    if (ofRelative) kinds.push('relative');
    else if (isPast && !isNow) kinds.push('past');
    else kinds.push(isPast || isNarrated ? 'narrated' : 'present');
  }
  return kinds;
}

/** Whether one of the phrases precedes a token, directly or with words such as "about" between. */
function isAfter(
  language: LanguageWords,
  phrases: Phrases,
  tokens: readonly Token[],
  index: number,
): boolean {
  let last = index - 1;
  for (let words = 0; words <= 2 && last >= 0; words += 1) {
    if (phrases.matchEndingAt(tokens, last) > 0) return true;
    const size = language.about.matchEndingAt(tokens, last);
    if (size === 0) return false;
    last -= size;
  }
  return false;
}

/** Whether a number follows a word for a young person: "a girl of fifteen". */
function isAgeOfPerson(language: LanguageWords, tokens: readonly Token[], index: number): boolean {
  const size = index > 1 ? language.of.matchEndingAt(tokens, index - 1) : 0;
  const before = index - 1 - size;
  return (
    size > 0 &&
    (language.youth.matchEndingAt(tokens, before) > 0 || language.child.matchEndingAt(tokens, before) > 0)
  );
}

/** Whether a person born in `born` is under 18. @param year the current year */
const isYoungYear = (born: number, year: number): boolean =>
  born <= year - MIN_NUMBER_AGE && born >= year - ADULT_AGE + 1;

/** Whether a person born in `born` is an adult alive today. @param year the current year */
const isAdultYear = (born: number, year: number): boolean =>
  born >= year - MAX_AGE && born < year - ADULT_AGE;

/** Whether a number has no number next to it: "Lily, 14, lives next door". */
function isAlone(language: LanguageWords, tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const isNumber = (at: number) => tokens[at] !== undefined && parseNumberAt(language, tokens, at) !== null;
  return before !== undefined && !isNumber(index - 1) && !isNumber(index + 1);
}

const HAN_DIGITS = '一二三四五六七八九';
/** Parses a Chinese number of up to three numerals. */
function parseHanNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const ten = text.includes('十') ? (tens === '' ? 1 : HAN_DIGITS.indexOf(tens as string) + 1) * 10 : 0;
  return ten + (ones === '' ? 0 : ones === '两' ? 2 : HAN_DIGITS.indexOf(ones as string) + 1);
}

/** Ends of verbs and words that tell of something over; without them "when she is 14" is the scene. */
const HAN_PAST_TENSE = /た(?=[。、!?」』\s]|$)|だった|でした|[了过過曾]/u;

const HAN_PART = /[、，,;；。！？!?\n]/;

function findHanAges(text: string, year: number): AgeKind[] {
  const { age, relative, past, was, notYet, born } = getHanWords();
  const kinds: AgeKind[] = notYet.test(text) ? ['present'] : [];
  for (const part of text.split(HAN_PART)) {
    const years = born.test(part) ? (part.match(/\d{4}/g) ?? []) : [];
    if (years.some((each) => isYoungYear(Number(each), year)))
      kinds.push(relative.test(part) ? 'relative' : 'present');
    if (years.some((each) => isAdultYear(Number(each), year))) kinds.push('adult');
    for (const match of part.matchAll(age)) {
      const value = parseHanNumber(match.slice(1).find((each) => each !== undefined) ?? '');
      if (value < 1) continue;
      if (value >= ADULT_AGE) kinds.push('adult');
      else
        kinds.push(
          relative.test(part)
            ? 'relative'
            : past.test(part.slice(match.index)) && HAN_PAST_TENSE.test(text)
              ? 'past'
              : past.test(part.slice(match.index)) || was.test(part)
                ? 'narrated'
                : 'present',
        );
    }
  }
  return kinds;
}

const HAN = /[\u3041-\u30fe\u3400-\u9fff]/;

/** A number directly before letters: "14yo", "the 14th". */
const JOINED_NUMBER = /(?<![\p{L}\p{N}])(\d{1,2})(?=[a-z])/giu;

/** The words of a text and its likely languages. Callers ask several questions about the same sentence in a row. */
const readWords = memoizeLru(4, (text) => {
  const normalized = normalizeText(text);
  const tokens = splitTokens(normalized);
  return { normalized, tokens, languages: findLikelyLanguages(normalized, tokens) };
});

/** Finds the ages in a sentence. @param year the current year, to interpret years of birth */
export function readAges(sentence: string, year = new Date().getUTCFullYear()): AgeKind[] {
  const { normalized, tokens, languages } = readWords(sentence.replace(JOINED_NUMBER, '$1 '));
  const kinds = HAN.test(normalized) ? findHanAges(normalized, year) : [];
  for (const language of languages) kinds.push(...findAges(language, tokens, year));
  return kinds;
}

function hasWord(sentence: string, what: 'relative' | 'partner' | 'child'): boolean {
  const { normalized, tokens, languages } = readWords(sentence);
  if (HAN.test(normalized) && getHanWords()[what].test(normalized)) return true;
  return languages.some((language) => isNear(language[what], tokens, 0, tokens.length - 1));
}

/** Whether a sentence mentions someone's child, sibling or pet. */
export const hasRelative = (sentence: string): boolean => hasWord(sentence, 'relative');

/** Whether a sentence mentions someone's spouse or lover. */
export const hasPartner = (sentence: string): boolean => hasWord(sentence, 'partner');

/** Whether a sentence or clause mentions a child. */
export const hasChild = (sentence: string): boolean => hasWord(sentence, 'child');

const NUMBER = /\p{N}/u;

/** Whether a sentence mentions a child or any age under 18. The gate asks this for every token of a reply. */
export function hasYoungPerson(sentence: string): boolean {
  if (!NUMBER.test(sentence)) {
    const normalized = normalizeText(sentence);
    // Most texts have no word that could be an age or a child in any language.
    const isPossible = HAN.test(normalized) || splitTokens(normalized).some(({ isCandidate }) => isCandidate);
    if (!isPossible) return false;
  }
  return hasChild(sentence) || readAges(sentence).some((kind) => kind !== 'adult' && kind !== 'duration');
}

/** Whether a clause of a sentence names an unmistakably sexual act or kind of content, and does not negate it. */
export function hasSexualAct(sentence: string): boolean {
  const { normalized, tokens, languages } = readWords(sentence);
  const { act, no } = getHanWords();
  if (HAN.test(normalized) && normalized.split(HAN_PART).some((part) => act.test(part) && !no.test(part)))
    return true;
  return tokens.some((_, index) => {
    if (languages.every(({ act }) => act.at(tokens, index) === 0)) return false;
    const [from, to] = findPartBounds(tokens, index);
    return !languages.some(({ no }) => isNear(no, tokens, from, to));
  });
}

/**
 * Returns a sentence without its words for children and ages, as a whole and as the pieces between them. The training
 * data contains no text with a child and a sexual act, so the words for children alone make the classifier score a
 * sentence as not sexual.
 */
export function stripChildren(sentence: string): string[] {
  const normalized = normalizeText(sentence);
  const signs = HAN.test(normalized)
    ? normalized.replaceAll(getHanWords().age, ' ').replaceAll(getHanWords().young, ' ')
    : normalized;
  const tokens = splitTokens(signs);
  const omitted = new Set<number>();
  for (const language of findLikelyLanguages(signs, tokens))
    for (let index = 0; index < tokens.length; index += 1) {
      const number = parseNumberAt(language, tokens, index);
      const next = index + (number?.size ?? 0);
      const [before, after] =
        number === null
          ? [0, Math.max(language.child.at(tokens, index), language.youth.at(tokens, index))]
          : [
              index > 0 ? language.before.matchEndingAt(tokens, index - 1) : 0,
              number.size + Math.max(language.old.at(tokens, next), language.years.at(tokens, next)),
            ];
      for (let at = index - before; at < index + after; at += 1) omitted.add(at);
    }
  const pieces: string[][] = [[]];
  for (const [index, { word, parted }] of tokens.entries()) {
    if (omitted.has(index)) pieces.push([]);
    else pieces.at(-1)?.push(parted && index > 0 ? `, ${word}` : word);
  }
  const said = pieces.filter(({ length }) => length > 1).map((words) => words.join(' '));
  const whole = pieces.flat().join(' ');
  return pieces.length > 1 ? [whole, ...said] : [whole];
}
