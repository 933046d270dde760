import { ADULT_AGE, type AgeKind, isAdultYear, isYoungAge, isYoungYear, MAX_AGE } from './age-kinds.ts';
import {
  isCommonWord,
  isNear,
  type LanguageWords,
  type LikelyLanguage,
  MIN_NUMBER_AGE,
  type Phrases,
  type Token,
} from './age-words.ts';

/** Reads ages in languages that separate words by spaces. Pure, linear time. */

/** What a language reads in a number; `counted`: it is followed by a word that the language does not know. */
type Reading = AgeKind | 'counted';

/** Value for number words of tens, which only show that the person is an adult. */
const ASSUMED_ADULT_AGE = 40;
const NUMBER = /\p{N}/u;

/** Directly after a number, these make it a quantity. */
const QUANTITY = /^[%€$£¥°+*/×=:]/;
/** Directly before a number, these may make it the age of the person just named. */
const APPOSITION = /^[,(—–|]/;

/** Tokens to look at before and after a number. */
const NEAR_TOKENS = 4;

/** Tokens of a date before its year: "nascimento: 4 de julho de 1990". */
const DATE_TOKENS = 6;

/** Number words that mean something else in another language: "Legolas, elf, lächelt" names no age. */
const AMBIGUOUS_NUMBERS: ReadonlySet<string> = new Set([
  'char', 'das', 'elf', 'lima', 'nau', 'once', 'saat', 'sei', 'seize', 'teen',
]); // prettier-ignore

/** The bounds of the clause around a token, delimited by punctuation. */
export function findPartBounds(tokens: readonly Token[], index: number): [from: number, to: number] {
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

export function parseNumberAt(
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
function findAges(language: LikelyLanguage, tokens: readonly Token[], year: number): Map<number, Reading> {
  const kinds = new Map<number, Reading>();
  const last = tokens.length - 1;
  const hasBirthday = language.isKnown && tokens.some((_, index) => isBirthdayAt(language, tokens, index));
  let behind = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const ordinal = hasBirthday ? language.ordinals.at(tokens, index) : 0;
    if (ordinal > 0 && isNear(language.birthday, tokens, index - 2, index + ordinal + 1)) {
      kinds.set(index, findOwner(language, tokens, index));
      behind = index + ordinal;
    }
    // Skip words inside the previous number: "neuf" in "dix neuf".
    const number = index < behind ? null : parseNumberAt(language, tokens, index);
    if (number === null) continue;
    behind = index + number.size;
    const next = behind;
    const isBorn = isNear(language.born, tokens, index - NEAR_TOKENS, index + NEAR_TOKENS);
    if (
      (isBorn && isYoungYear(number.value, year)) ||
      (isBorn && isYoungAge(number.value) && isTimeOfBirth(language, tokens, next)) ||
      (hasBirthday && isYoungAge(number.value) && isOfBirthday(language, tokens, index, next))
    ) {
      kinds.set(index, findOwner(language, tokens, index));
      continue;
    }
    if (isAdultYear(number.value, year))
      kinds.set(
        index,
        isBorn || isNear(language.born, tokens, index - DATE_TOKENS, index + NEAR_TOKENS)
          ? 'adult'
          : 'duration',
      );
    if (number.value < 1 || number.value > MAX_AGE) continue;
    const isYoung = number.value < ADULT_AGE;
    if (isYoung && index > 0 && language.tens.matchEndingAt(tokens, index - 1) > 0) continue;
    if (isYoung && language.tens.at(tokens, next) > 0) {
      kinds.set(index, 'duration');
      continue;
    }
    // "Not yet 18" is an age in any context.
    if (number.value === ADULT_AGE && isNear(language.not, tokens, index - NEAR_TOKENS, next + 2)) {
      // "If you are under 18, leave" is about the reader.
      kinds.set(index, isNear(language.notice, tokens, 0, last) ? 'adult' : 'present');
      continue;
    }
    const kind = findAgeKind(language, tokens, index, number);
    if (kind !== null && (number.value >= MIN_NUMBER_AGE || (kind !== 'duration' && kind !== 'counted')))
      kinds.set(index, kind);
  }
  return kinds;
}

/** Whether a word for a birthday starts at a token, not one for an anniversary: "anniversaire de mariage". */
function isBirthdayAt(language: LanguageWords, tokens: readonly Token[], index: number): boolean {
  const size = language.birthday.at(tokens, index);
  return size > 0 && language.thing.at(tokens, index + size + 1) === 0;
}

/** Whether the number before a token says how long ago a birth was: "born 14 years ago", not "3 years after the war". */
function isTimeOfBirth(language: LanguageWords, tokens: readonly Token[], next: number): boolean {
  const end = next + language.units.at(tokens, next);
  if (end === next) return false;
  return (
    (tokens[end]?.parted ?? true) || language.ago.at(tokens, end) > 0 || language.born.at(tokens, end) > 0
  );
}

/** Whether an age at a token belongs to a relative who is named in the same clause, or to someone in the scene. */
function findOwner(language: LanguageWords, tokens: readonly Token[], index: number): 'relative' | 'present' {
  const [from, to] = findPartBounds(tokens, index);
  return isNear(language.relative, tokens, from, to) ? 'relative' : 'present';
}

/** The kind of the age at a token; null if it is unclear what the number there means. */
function findAgeKind(
  language: LikelyLanguage,
  tokens: readonly Token[],
  index: number,
  number: ParsedNumber,
): Reading | null {
  const [from, to] = findPartBounds(tokens, index);
  const next = index + number.size;
  // One or two years are far more often a duration than the age of a child.
  const isInfant = number.value < MIN_NUMBER_AGE;
  const isOfPerson = !isInfant && isAgeOfPerson(language, tokens, index);
  const isSaid = isOfPerson || isAfter(language, language.before, tokens, index);
  const closing = language.closing.at(tokens, next);
  const unit = Math.max(closing, language.years.at(tokens, next));
  const months = unit === 0 ? 0 : countMonthTokens(language, tokens, next + unit);
  const years = unit + months;
  const end = next + years;
  const isParted = tokens[next]?.parted ?? true;
  const old = number.isAge ? 1 : isParted ? 0 : language.old.at(tokens, months > 0 ? end : next);
  const isThing =
    isNear(language.thing, tokens, Math.max(from, index - 2), index - 1) ||
    language.thing.at(tokens, next + Math.max(old, years)) > 0;
  const isDate = language.month.at(tokens, next) > 0 || language.month.matchEndingAt(tokens, index - 1) > 0;
  // "17 anos, mas" is no duration of "mas", and "the 14th last month" none of months.
  const measure = (at: number, before: number) =>
    at + language.duration.at(tokens, at) - 1 > to || language.when.at(tokens, at) > 0
      ? 0
      : before + language.duration.at(tokens, at);
  const after = end > next && end <= to && language.duration.at(tokens, end) > 0 ? measure(end, unit) : 0;
  const duration = Math.max(next > to ? 0 : measure(next, 0), after);
  const isTime =
    !isOfPerson &&
    (duration > old ||
      (old === 0 &&
        (QUANTITY.test(tokens[next]?.sign ?? '') ||
          language.duration.matchEndingAt(tokens, index - 1) > 0 ||
          isNear(language.duration, tokens, index - 2, index - 1) ||
          (!isSaid && (isDate || language.prepositions.matchEndingAt(tokens, index - 1) > 0)))));
  // "Born 3 years after the war."
  const isSinceBirth =
    unit > 0 && !isSaid && isNear(language.born, tokens, Math.max(from, index - 3), index - 1);
  if (isThing || isTime || isSinceBirth) return 'duration';
  const isEnd = end > to || language.ends.at(tokens, end) > 0 || language.when.at(tokens, end) > 0;
  // "Age: 14" needs nothing after it.
  const isLabel = isSaid && /^[:=?]/.test(tokens[index]?.sign ?? '');
  const hasVerb = isNear(language.verbs, tokens, Math.max(from, index - 3), index - 1);
  const isApposition =
    APPOSITION.test(tokens[index]?.sign ?? '') &&
    isEnd &&
    index > 0 &&
    // Accept "Anna, 7, opens the door", but not a list of numbers.
    (number.value > 9 || (index <= (end > to ? 2 : 1) && findPartBounds(tokens, index - 1)[0] === 0)) &&
    isAlone(language, tokens, index, next) &&
    (language.isKnown || number.size > 1 || !AMBIGUOUS_NUMBERS.has((tokens[index] as Token).word));
  // "Three years I waited" is a duration, "14 Jahre, blond" an age.
  const opens = index === from && end <= to;
  const isHead =
    index === 0 &&
    unit > 0 &&
    end === to + 1 &&
    to + 1 < tokens.length &&
    NUMBER.test((tokens[0] as Token).word) &&
    language.ends.at(tokens, to + 1) === 0;
  // "Анне 14."
  const isName = index === 1 && isEnd && !isInfant && language.name?.test((tokens[0] as Token).word) === true;
  const isAge =
    old > 0 ||
    isLabel ||
    isOfPerson ||
    isHead ||
    isName ||
    (isInfant
      ? (years > 0 && hasVerb && end > to) || (isApposition && index === 1 && next < tokens.length)
      : (years > 0 &&
          (closing === 0 || isEnd || months > 0) &&
          (hasVerb || (language.bare && !opens)) &&
          !isNear(language.lasting, tokens, from, index - 1)) ||
        (isSaid && (isEnd || (years > 0 && closing === 0))) ||
        isApposition);
  // A number word before a word that is no unit of age counts something. Digits may be a class or an age of a child
  // who writes in haste: "im 14 f", "7 класс".
  if (!isAge) {
    const counts =
      years === 0
        ? !isEnd && !isCommonWord((tokens[next] as Token).word) && !NUMBER.test((tokens[index] as Token).word)
        : isNear(language.lasting, tokens, from, to);
    return counts ? 'counted' : null;
  }
  if (number.value >= ADULT_AGE) return 'adult';
  const isPast = isNear(language.past, tokens, Math.max(from, index - NEAR_TOKENS), index - 1);
  // An age right after a comma belongs to the people just named: "a mother of two boys, aged 6 and 9".
  const named = index - from <= 1 && from > 0 ? findPartBounds(tokens, from - 1)[0] : from;
  const isNarrated = isNear(language.was, tokens, Math.max(from, index - NEAR_TOKENS), index - 1);
  const isNow =
    !isNarrated &&
    isNear(language.now, tokens, Math.max(from, index - NEAR_TOKENS), Math.min(to, next + NEAR_TOKENS));
  if (isNear(language.relative, tokens, named, Math.min(tokens.length - 1, to + 1))) return 'relative';
  if (isPast && !isNow) return 'past';
  return isPast || isNarrated ? 'narrated' : 'present';
}

/** Number of tokens of the months after the years of an age: "and 11 months" in "14 years and 11 months". */
function countMonthTokens(language: LanguageWords, tokens: readonly Token[], index: number): number {
  for (const at of [index, index + 1]) {
    const months = tokens[at] === undefined ? null : parseNumberAt(language, tokens, at);
    if (months !== null && language.duration.at(tokens, at + months.size) > 0)
      return at + months.size + 1 - index;
  }
  return 0;
}

/** Whether a number counts a birthday: "her 14th birthday", "cumpleaños número 14". */
const isOfBirthday = (
  language: LanguageWords,
  tokens: readonly Token[],
  index: number,
  next: number,
): boolean =>
  isNear(language.birthday, tokens, next, next + 1) ||
  ((tokens[next]?.parted ?? true) && isNear(language.birthday, tokens, index - 3, index - 1));

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
    const size = Math.max(
      language.about.matchEndingAt(tokens, last),
      language.when.matchEndingAt(tokens, last),
    );
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

/** Whether a number has no number next to it: "Lily, 14, lives next door". */
function isAlone(language: LanguageWords, tokens: readonly Token[], index: number, next: number): boolean {
  const before = tokens[index - 1];
  const isNumber = (at: number) => tokens[at] !== undefined && parseNumberAt(language, tokens, at) !== null;
  return before !== undefined && !isNumber(index - 1) && !isNumber(next);
}

/** How far a language is believed about a number: the word after it may be one that only another language knows. */
function rankReading(kind: Reading, isKnown: boolean): number {
  if (kind === 'counted') return 0;
  if (!isKnown) return kind === 'duration' ? 1 : 2;
  return kind === 'duration' || kind === 'relative' ? 4 : 3;
}

/** Merges what several languages read at each token. */
export function mergeReadings(
  languages: readonly LikelyLanguage[],
  tokens: readonly Token[],
  year: number,
): AgeKind[] {
  const best = new Map<number, { kind: Reading; rank: number }>();
  for (const language of languages)
    for (const [index, kind] of findAges(language, tokens, year)) {
      const rank = rankReading(kind, language.isKnown);
      if (rank > (best.get(index)?.rank ?? -1)) best.set(index, { kind, rank });
    }
  return [...best.values()].map(({ kind }) => (kind === 'counted' ? 'duration' : kind));
}
