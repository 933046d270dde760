import { memoizeRecent } from '../../lib/memoize-lru.ts';
import { ADULT_AGE, type AgeKind } from './age-kinds.ts';
import {
  findLikelyLanguages,
  getHanWords,
  isNear,
  type LikelyLanguage,
  MIN_NUMBER_AGE,
  splitTokens,
  type Token,
} from './age-words.ts';
import { findHanAges, HAN_PART, HAN_QUANTITY } from './han-ages.ts';
import { findPartBounds, mergeReadings, parseNumberAt } from './spaced-ages.ts';
import { normalizeText } from './text-features.ts';

/**
 * Finds ages in a text, as digits or number words of twelve languages, and who they belong to. It uses numbers and a few
 * words around them only; other signs of a young person are left to the classifier. Pure, linear time.
 */

const NUMBER = /\p{N}/u;
const HAN = /[\u3041-\u30fe\u3400-\u9fff]/;

/** A number directly before letters: "14yo", "the 14th". */
const JOINED_NUMBER = /(?<![\p{L}\p{N}])(\d{1,2})(?=[a-z])/giu;

/** Halves after a number: "14½", "14 1/2". */
const HALF = /(?<=\d ?)(?:[¼½¾]|(?<= )1\/2)/g;

/** Ages that are written with signs, in any language: "14 y.o.", "14/f", "(14m)", "[F14]", "14J. w.". */
const SIGNED_AGE =
  /(?<![\p{L}\p{N}.,:])(?<!\p{L} ?[/-])(?:(\d{1,2}) ?(?:y\.? ?\/?o(?!\p{L})|j\.(?:,? ?[mw](?!\p{L})|$)|[/|] ?[fmwhkжм](?!\p{L})|[♀♂女男])|(?<=^|[([{,;|\n] ?)(\d{1,2}) ?[fwж](?= here|[\n)\]},;|.!]|$)|(?<=[([{] ?)(\d{1,2}) ?[mкм](?=[)\]}])|(?<=^|[([{,;|\n] ?)[fmwkhжм♀♂女男](?: ?[/|] ?|(?= \d+(?:[)\]},;|!]|$)) )?(1[0-7])(?=[\s)\]},;|.!]|$))/gu;

/** A label for adult content. */
const ADULT_LABEL = /(?<![\p{N}.,:])(?:[+＋] ?18|18 ?[+＋])(?!\p{N})/gu;

/** "16 Jahre älter" looks like "16 Jahre alter Junge" without its dots. */
const OLDER = /(?<=jahre )älter(?!\p{L})/giu;

/** Letters of the languages that separate words by spaces. */
const SPACED = /[a-z\u0400-\u04ff\u0900-\u097f]/;

/** The words of a sentence and its likely languages, each found on first use. */
class ReadSentence {
  readonly normalized: string;
  readonly hasHan: boolean;
  readonly #isSpaced: boolean;
  #tokens: Token[] | undefined;
  #likely: ReturnType<typeof findLikelyLanguages> | undefined;

  constructor(text: string) {
    this.normalized = normalizeText(text);
    this.hasHan = HAN.test(this.normalized);
    this.#isSpaced = SPACED.test(this.normalized);
  }

  get tokens(): readonly Token[] {
    return (this.#tokens ??= splitTokens(this.normalized));
  }

  /** Whether a word may be an age or a child in a language that separates words by spaces. Most texts have none. */
  get hasCandidate(): boolean {
    return this.#isSpaced && this.tokens.some(({ isCandidate }) => isCandidate);
  }

  get #languages() {
    return (this.#likely ??= findLikelyLanguages(this.normalized, this.tokens));
  }

  get languages(): LikelyLanguage[] {
    return this.#isSpaced ? this.#languages.languages : [];
  }

  findPossible(): LikelyLanguage[] {
    return this.#isSpaced ? this.#languages.findPossible() : [];
  }
}

/** Callers ask several questions about the same sentence in a row. */
const readSentence = memoizeRecent(64, (text) => new ReadSentence(text));

/** Finds the ages in a sentence. @param year the current year, to interpret years of birth */
export function readAges(sentence: string, year = new Date().getUTCFullYear()): AgeKind[] {
  const hasDigits = NUMBER.test(sentence);
  const plain = sentence.includes('älter') ? sentence.replace(OLDER, 'jünger') : sentence;
  const read = readSentence(
    hasDigits ? plain.replace(ADULT_LABEL, ' ').replace(HALF, '').replace(JOINED_NUMBER, '$1 ') : plain,
  );
  const kinds = read.hasHan ? findHanAges(read.normalized, year) : [];
  if (hasDigits && sentence.search(ADULT_LABEL) >= 0) kinds.push('adult');
  if (hasDigits)
    for (const match of read.normalized.matchAll(SIGNED_AGE)) {
      const value = Number(match.slice(1).find((each) => each !== undefined));
      if (value >= MIN_NUMBER_AGE) kinds.push(value < ADULT_AGE ? 'present' : 'adult');
    }
  return read.hasCandidate ? [...kinds, ...mergeReadings(read.findPossible(), read.tokens, year)] : kinds;
}

function hasWord(sentence: string, what: 'relative' | 'partner' | 'child' | 'teacher' | 'grown'): boolean {
  const read = readSentence(sentence);
  if (read.hasHan && getHanWords()[what].test(read.normalized)) return true;
  if (what === 'child' && !read.hasCandidate) return false;
  return read.languages.some((language) => isNear(language[what], read.tokens, 0, read.tokens.length - 1));
}

/** Whether a sentence mentions someone's child, sibling or pet. */
export const hasRelative = (sentence: string): boolean => hasWord(sentence, 'relative');

/** Whether a sentence mentions someone's spouse or lover. */
export const hasPartner = (sentence: string): boolean => hasWord(sentence, 'partner');

/** Whether a sentence mentions someone who works with children. */
export const hasTeacher = (sentence: string): boolean => hasWord(sentence, 'teacher');

/** Whether a sentence has a word about adults that sounds young, such as "petite". */
export const hasYoungWord = (sentence: string): boolean => hasWord(sentence, 'grown');

/** Whether a sentence says that someone is of age, or asks readers under 18 to leave. */
export function hasAdultStatement(sentence: string): boolean {
  const read = readSentence(sentence);
  const has = (what: 'notice' | 'adults' | 'no') => read.hasHan && getHanWords()[what].test(read.normalized);
  const isSaid = (what: 'notice' | 'adults' | 'no' | 'not') =>
    read.findPossible().some((language) => isNear(language[what], read.tokens, 0, read.tokens.length - 1));
  if (has('notice') || isSaid('notice')) return true;
  return (has('adults') && !has('no')) || (isSaid('adults') && !isSaid('no') && !isSaid('not'));
}

/** Whether a sentence or clause mentions a child. */
export const hasChild = (sentence: string): boolean => hasWord(sentence, 'child');

/** Whether a sentence mentions a child or any age under 18. The gate asks this for every token of a reply. */
export function hasYoungPerson(sentence: string): boolean {
  const { hasHan, hasCandidate } = readSentence(sentence);
  if (!hasHan && !hasCandidate && !NUMBER.test(sentence)) return false;
  return hasChild(sentence) || readAges(sentence).some((kind) => kind !== 'adult' && kind !== 'duration');
}

/** Whether a clause of a sentence names an unmistakably sexual act or kind of content, and does not negate it. */
export function hasSexualAct(sentence: string): boolean {
  const read = readSentence(sentence);
  const { act, no } = getHanWords();
  if (read.hasHan && read.normalized.split(HAN_PART).some((part) => act.test(part) && !no.test(part)))
    return true;
  const { languages } = read;
  if (languages.length === 0) return false;
  const { tokens } = read;
  return tokens.some((_, index) => {
    if (languages.every(({ act }) => act.at(tokens, index) === 0)) return false;
    const [from, to] = findPartBounds(tokens, index);
    return !languages.some(({ no }) => isNear(no, tokens, from, to));
  });
}

/** Returns a sentence without its numbers. */
export const stripNumbers = (sentence: string): string => stripSigns(sentence, false)[0] as string;

/**
 * Returns a sentence without its words for children and ages, as a whole and as the pieces between them. The training
 * data contains no text with a child and a sexual act, so the words for children alone make the classifier score a
 * sentence as not sexual.
 */
export const stripChildren = (sentence: string): string[] => stripSigns(sentence, true);

function stripSigns(sentence: string, withChildren: boolean): string[] {
  const normalized = normalizeText(sentence);
  let signs = normalized;
  if (HAN.test(normalized)) {
    signs = normalized.replaceAll(withChildren ? getHanWords().age : HAN_QUANTITY, ' ');
    if (withChildren) signs = signs.replaceAll(getHanWords().young, ' ');
  }
  const tokens = splitTokens(signs);
  const omitted = new Set<number>();
  for (const language of findLikelyLanguages(signs, tokens).findPossible())
    for (let index = 0; index < tokens.length; index += 1) {
      const number = parseNumberAt(language, tokens, index);
      const next = index + (number?.size ?? 0);
      const [before, after] =
        number === null
          ? [
              0,
              withChildren ? Math.max(language.child.at(tokens, index), language.youth.at(tokens, index)) : 0,
            ]
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
