import {
  hanWords,
  isNear,
  type Language,
  likelyLanguages,
  splitTokens,
  type Token,
  YOUNGEST,
} from './age-words.ts';
import { normalizeText } from './text-features.ts';

/**
 * Finds the ages that a text gives, in digits or words of twelve languages, and whose they are. It knows numbers and a few
 * words around them, nothing else: what says that somebody is young in other ways is for the classifier. Pure, linear.
 */

/**
 * `present`: under 18, of somebody in the scene. `relative`: under 18, of a child, brother, dog of somebody. `past`: under
 * 18, of a person who has grown up since. `adult`: 18 or more. `duration`: no age, but a time such as "15 years ago".
 */
export type AgeKind = 'present' | 'relative' | 'past' | 'adult' | 'duration';

const ADULT = 18;
/** Tens say no more than that somebody is grown up. */
const SOME_ADULT = 40;
const OLDEST = 110;

/** Right behind a number these make it a quantity. */
const QUANTITY = /^[%€$£¥°+*/×=:]/;
/** Right before a number these may make it an age of whom was just named. */
const APPOSITION = /^[,(—–|]/;

/** How many tokens before and behind a number are looked at. */
const NEAR = 4;

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
  if (tens > 0)
    return { value: SOME_ADULT, size: tens + onesBehind(language, tokens, index + tens), isAge: false };
  // "vierundzwanzig", "ventiquattro"
  if (language.hasTens(word)) return { value: SOME_ADULT, size: 1, isAge: false };
  if (!language.compound.some((end) => word.includes(end))) return null;
  const found = language.compounds.find(({ start }) =>
    language.compound.some((end) => word.startsWith(start + end)),
  );
  return found === undefined ? null : { value: found.value, size: 1, isAge: true };
}

/** How many tokens behind tens belong to their number: "twenty four", "vingt et un", "двадцать один". */
function onesBehind(language: Language, tokens: readonly Token[], index: number): number {
  for (let size = 0; size <= 2; size += 1)
    if (language.old.at(tokens, index + size) > 0 || language.years.at(tokens, index + size) > 0) return size;
  return 0;
}

/** The kinds of ages in one sentence of a language that sets words apart. */
function agesIn(
  language: Language & { isKnown: boolean },
  tokens: readonly Token[],
  year: number,
): AgeKind[] {
  const kinds: AgeKind[] = [];
  let behind = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    // "neuf" of "dix neuf" is no number of its own.
    const number = index < behind ? null : numberAt(language, tokens, index);
    if (number === null) continue;
    behind = index + number.size;
    if (isYoungYear(number.value, year) && isNear(language.born, tokens, index - NEAR, index + NEAR)) {
      const [from, to] = partAround(tokens, index);
      kinds.push(isNear(language.relative, tokens, from, to) ? 'relative' : 'present');
    }
    if (number.value < 1 || number.value > OLDEST) continue;
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
    const [from, to] = partAround(tokens, index);
    const isTime =
      old === 0 &&
      (QUANTITY.test(tokens[next]?.sign ?? '') ||
        language.duration.endingAt(tokens, index - 1) > 0 ||
        isNear(language.duration, tokens, index - 2, index - 1) ||
        isNear(language.duration, tokens, next, Math.min(next + years, to)));
    if (isTime) {
      if (years > 0 && number.value > 9) kinds.push('duration');
      continue;
    }
    const closes = next + years > to;
    const isEnd = closes || language.ends.at(tokens, next + years) > 0;
    const isSaid = index > 0 && language.before.endingAt(tokens, index - 1) > 0;
    // "Age: 14" needs no end behind it.
    const isLabel = isSaid && /^[:=]/.test(tokens[index]?.sign ?? '');
    const hasVerb = isNear(language.verbs, tokens, Math.max(from, index - 3), index - 1);
    const stands =
      APPOSITION.test(tokens[index]?.sign ?? '') &&
      isEnd &&
      index > 0 &&
      // "Anna, 7, opens the door", but not a list.
      (number.value > 9 || index === 1) &&
      isAlone(language, tokens, index) &&
      (language.isKnown || /^\p{N}/u.test((tokens[index] as Token).word));
    // "Three years I waited" is a time.
    const opens = index === from && !closes;
    // Of what lasts one or two years there is much more than of children of that age.
    const isInfant = number.value < YOUNGEST;
    const isAge =
      old > 0 ||
      isLabel ||
      (isInfant
        ? (years > 0 && hasVerb && closes) || (stands && index === 1 && behind < tokens.length)
        : (years > 0 && (hasVerb || (language.bare && !opens))) ||
          (isSaid && (isEnd || years > 0)) ||
          stands);
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
  return ten + (ones === '' ? 0 : ones === '两' ? 2 : HAN_DIGITS.indexOf(ones as string) + 1);
}

const HAN_PART = /[、，,;；。！？!?\n]/;

function hanAgesIn(text: string, year: number): AgeKind[] {
  const { age, relative, past, notYet, born } = hanWords();
  const kinds: AgeKind[] = notYet.test(text) ? ['present'] : [];
  for (const part of text.split(HAN_PART)) {
    const years = born.test(part) ? (part.match(/\d{4}/g) ?? []) : [];
    if (years.some((each) => isYoungYear(Number(each), year)))
      kinds.push(relative.test(part) ? 'relative' : 'present');
    for (const match of part.matchAll(age)) {
      const value = parseHanNumber(match[1] ?? match[2] ?? match[3] ?? '');
      if (value < 1) continue;
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

function names(sentence: string, what: 'relative' | 'partner' | 'child'): boolean {
  const normalized = normalizeText(sentence);
  if (HAN.test(normalized) && hanWords()[what].test(normalized)) return true;
  const tokens = splitTokens(normalized);
  return likelyLanguages(normalized, tokens).some((language) =>
    isNear(language[what], tokens, 0, tokens.length - 1),
  );
}

/** Whether a sentence names somebody's child, brother, sister or pet. */
export const namesRelative = (sentence: string): boolean => names(sentence, 'relative');

/** Whether a sentence names somebody's husband, wife or lover. */
export const namesPartner = (sentence: string): boolean => names(sentence, 'partner');

/** Whether a sentence, or a part of one, names a child. */
export const namesChild = (sentence: string): boolean => names(sentence, 'child');

/** Whether a sentence names a child or an age under 18, whoever's it is. */
export const namesYoung = (sentence: string): boolean =>
  namesChild(sentence) || readAges(sentence).some((kind) => kind !== 'adult' && kind !== 'duration');

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
  const whole = pieces.flat().join(' ');
  return pieces.length > 1 ? [whole, ...said] : [whole];
}
