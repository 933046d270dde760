/**
 * Turns a sentence into hashed features: character n-grams, words, and pairs of consecutive words. Pure, linear time, and
 * language-independent. Equivalent spellings (accents, look-alike letters, digits for letters, doubled or spaced letters,
 * full width, katakana) give the same features.
 */

import { memoizeRecent } from '../../lib/memoize-lru.ts';

/** Unicode ranges of the scripts used by the twelve languages. */
const HAN_FROM = 0x3400;
const HAN_TO = 0x9fff;
const KANA_FROM = 0x3041;
const KANA_TO = 0x30fe;
const KATAKANA_FROM = 0x30a1;
const KATAKANA_TO = 0x30f6;
const KATAKANA_TO_HIRAGANA = 0x60;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Accents of Latin, Greek and Cyrillic, strokes through letters, and the nukta of Devanagari. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u093c]/g;
const WHOLE_LETTERS = /[ßœæøłıđ]/g;
const LETTER_FOR: Readonly<Record<string, string>> = {
  ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', ı: 'i', đ: 'd',
}; // prettier-ignore

/** Runs of characters that may change. A mark in them may change the kana before them. */
const UNSTABLE =
  /[\u3041-\u30ff]?[^ -~«»\u0410-\u0418\u041a-\u0438\u043a-\u044f\u0904-\u0928\u092a-\u0930\u0935-\u0939\u093e-\u094c\u0964-\u096f\u2012-\u2015\u2018-\u201f\u3001-\u3020\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff]+/g;
/** Removes accents, invisible characters and differences of width. Texts repeat their words. */
const fold = memoizeRecent(1000, (run) =>
  run.toWellFormed().normalize('NFKD').replace(INVISIBLE, '').replace(MARKS, '').normalize('NFC'),
);

/** Cyrillic and Greek letters that look like Latin ones. A word that mixes scripts is likely an evasion. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', в: 'b', е: 'e', з: '3', і: 'i', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x',
  ѕ: 's', ј: 'j', α: 'a', β: 'b', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x',
}; // prettier-ignore
/** Digits and symbols that replace a letter inside a Latin word. */
const LEET: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i', '|': 'l',
}; // prettier-ignore
// The sign comes first in these expressions, because few characters are one.
const LEET_IN_WORD = /[013457@$!|](?<=[a-z].)(?=[a-z])/g;
const STARS_IN_WORD = /[*#](?<=[a-z].)(?=[a-z*#])/g;
const APOSTROPHES = /['’‘ʼ`´](?<=\p{L}.)(?=\p{L})/gu;
const LATIN = /[a-z]/;
const OTHER_ALPHABET = /[\u0370-\u03ff\u0400-\u052f]/;
const ALPHABETIC_RUN = /[a-z\u0370-\u03ff\u0400-\u052f]+/g;

/** Normalises equivalent spellings. The result is at most three times as long as the text. */
export const normalizeText = memoizeRecent(64, (text): string => {
  let plain = text.replace(UNSTABLE, fold).toLowerCase();
  plain = plain.replace(WHOLE_LETTERS, (letter) => LETTER_FOR[letter] ?? letter);
  const isLatin = LATIN.test(plain);
  if (isLatin && OTHER_ALPHABET.test(plain))
    plain = plain.replace(ALPHABETIC_RUN, (word) =>
      LATIN.test(word) ? word.replace(/[^a-z]/g, (letter) => LOOK_ALIKES[letter] ?? letter) : word,
    );
  plain = plain.replace(APOSTROPHES, '');
  if (!isLatin) return plain;
  return plain.replace(LEET_IN_WORD, (sign) => LEET[sign] ?? sign).replace(STARS_IN_WORD, '');
});

const Sign = { Other: 0, Letter: 1, Digit: 2, Ideograph: 3, Emoji: 4 } as const;

function classifySign(code: number): number {
  if (code < 0x80) {
    if (code >= 97 && code <= 122) return Sign.Letter;
    return code >= 48 && code <= 57 ? Sign.Digit : Sign.Other;
  }
  if (code >= KANA_FROM && code <= KANA_TO) return code === 0x30fb ? Sign.Other : Sign.Ideograph;
  if ((code >= HAN_FROM && code <= HAN_TO) || code === 0x3005) return Sign.Ideograph;
  // Latin letters without a base letter, Greek, Cyrillic, and Devanagari with its vowel signs.
  if ((code >= 0xdf && code <= 0x24f) || (code >= 0x370 && code <= 0x52f)) return Sign.Letter;
  if (code >= 0x900 && code <= 0x97f) {
    if (code === 0x964 || code === 0x965) return Sign.Other;
    return code >= 0x966 && code <= 0x96f ? Sign.Digit : Sign.Letter;
  }
  return code >= 0xd800 && code <= 0xdfff ? Sign.Emoji : Sign.Other;
}

const SEED = 0x811c9dc5;
const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
/** Spreads the bits of a finished hash, so that any of them can select a bucket. */
const finish = (hash: number): number => {
  const bits = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return bits ^ (bits >>> 13);
};

/** UTF-16 units; longer words and runs are read in pieces. */
const MAX_WORD = 48;
/** Minimum number of letters of a word spelt with spaces between them. */
const MIN_SPELT = 4;

/**
 * Receives one feature.
 * @param hash 32 bits
 * @param from its start in the reader's `word`; -1 for a pair with the previous word
 * @param to its end in `word`
 */
export type FeatureSink = (hash: number, from: number, to: number) => void;

/** U+FEFF is a space and invisible: it ends a word only where text is read in pieces. */
const INVISIBLE_SPACE = '\ufeff';
/** The codes of `<` and `>`, which mark the ends of a word. */
const [WORD_START, WORD_END] = [60, 62];
/** Reads a sentence, at once or in pieces; each character is read once. */
export class FeatureReader {
  readonly #sink: FeatureSink;
  /** The codes of the current and the previous word, and their lengths. Strings would take as long as their hashes. */
  #codes: number[] = [];
  #length = 0;
  #codesBefore: number[] = [];
  #lengthBefore = 0;
  /** Number of words, ideographs and kana before `word`. */
  place = 0;
  #carry = '';
  #lastHash = 0;
  #sentence = SEED;
  #spelt = '';

  constructor(sink: FeatureSink) {
    this.#sink = sink;
  }

  /** The current word or run; a word has a mark at both ends. */
  get word(): string {
    return String.fromCharCode(...this.#codes.slice(0, this.#length));
  }

  /** The previous word, in the same form. */
  get before(): string {
    return String.fromCharCode(...this.#codesBefore.slice(0, this.#lengthBefore));
  }

  /** @param text continues the previous piece */
  push(text: string): void {
    const all = this.#carry + text;
    // Keep a possibly unfinished word for the next piece.
    let cut = all.length;
    while (cut > 0 && all.length - cut < MAX_WORD && !/\s/.test(all[cut - 1] as string)) cut -= 1;
    if (all.length - cut >= MAX_WORD) cut = all.length;
    this.#carry = all.slice(cut);
    if (cut > 0) this.#read(normalizeText(all.slice(0, cut)));
  }

  /** Reads a whole sentence, like `push` and `end` together. @returns a hash of all its words in order */
  readAll(sentence: string): number {
    if (sentence.includes(INVISIBLE_SPACE)) this.push(sentence);
    else this.#carry += sentence;
    return this.end();
  }

  /** The beginning of a possibly unfinished word, not read yet. */
  get rest(): string {
    return this.#carry;
  }

  /** Completes the sentence; the next piece starts a new one. @returns a hash of all its words in order */
  end(): number {
    if (this.#carry !== '') this.#read(normalizeText(this.#carry));
    this.#unspell();
    const sentence = finish(this.#sentence);
    this.#carry = '';
    this.#sentence = SEED;
    this.#forget();
    return sentence;
  }

  /** The next word forms no pair with the previous one. */
  #forget(): void {
    this.#lastHash = 0;
  }

  #read(text: string): void {
    const end = text.length;
    let at = 0;
    while (at < end) {
      const sign = classifySign(text.charCodeAt(at));
      const from = at;
      at += 1;
      if (sign === Sign.Other) continue;
      while (at < end && at - from < MAX_WORD && classifySign(text.charCodeAt(at)) === sign) at += 1;
      if (sign === Sign.Letter && at === from + 1 && text.charCodeAt(from) < 0x80) {
        this.#spelt += text[from];
        continue;
      }
      this.#unspell();
      if (sign === Sign.Digit) this.#number(text.slice(from, at));
      else if (sign === Sign.Ideograph) this.#ideographs(text, from, at);
      else this.#letters(text, from, at);
    }
  }

  /** Handles single letters: a word spelt out, or words of one letter. */
  #unspell(): void {
    const spelt = this.#spelt;
    if (spelt === '') return;
    this.#spelt = '';
    const size = spelt.length >= MIN_SPELT ? spelt.length : 1;
    for (let at = 0; at < spelt.length; at += size) this.#letters(spelt, at, at + size);
  }

  #letters(text: string, from: number, to: number): void {
    const codes = this.#codes;
    let length = 0;
    codes[length++] = WORD_START;
    // Collapse repeated letters: "kiiiill" and "kill" are the same word.
    for (let at = from, last = 0; at < to; at += 1) {
      const code = text.charCodeAt(at);
      if (code !== last) codes[length++] = code;
      last = code;
    }
    codes[length++] = WORD_END;
    this.#length = length;
    this.#letterGrams();
    this.#whole();
    this.place += 1;
  }

  /** Classifies numbers by size: an age of a child, a teenager or an adult, a year, or another number. */
  #number(digits: string): void {
    const value = Number(digits.replace(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x966)));
    this.#codes = Array.from(`#${classifyNumber(value)}`, (sign) => sign.charCodeAt(0));
    this.#length = this.#codes.length;
    this.#whole();
    this.place += 1;
  }

  /** Emits one sign and two in a row. */
  #ideographs(text: string, from: number, to: number): void {
    const codes = this.#codes;
    const length = to - from;
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(from + at);
      codes[at] = code >= KATAKANA_FROM && code <= KATAKANA_TO ? code - KATAKANA_TO_HIRAGANA : code;
    }
    this.#length = length;
    const sink = this.#sink;
    let sentence = this.#sentence;
    for (let at = 0; at < length; at += 1) {
      const code = codes[at] as number;
      sentence = mix(sentence, code);
      const hash = mix(SEED, code);
      sink(finish(hash), at, at + 1);
      if (at + 1 < length) sink(finish(mix(hash, codes[at + 1] as number)), at, at + 2);
    }
    this.#sentence = sentence;
    this.place += length;
    this.#forget();
  }

  /** Emits all four letters in a row. */
  #letterGrams(): void {
    const codes = this.#codes;
    const length = this.#length;
    const sink = this.#sink;
    let one = codes[0] as number;
    let two = codes[1] as number;
    let three = codes[2] as number;
    for (let end = 4; end <= length; end += 1) {
      const four = codes[end - 1] as number;
      sink(finish(mix(mix(mix(mix(SEED, one), two), three), four)), end - 4, end);
      one = two;
      two = three;
      three = four;
    }
  }

  /** Emits the word, and its pair with the previous one. */
  #whole(): void {
    const codes = this.#codes;
    const length = this.#length;
    let hash = SEED ^ 0x55;
    for (let at = 0; at < length; at += 1) hash = mix(hash, codes[at] as number);
    this.#sentence = mix(this.#sentence, hash);
    this.#sink(finish(hash), 0, length);
    if (this.#lastHash !== 0) this.#sink(finish(mix(this.#lastHash, hash)), -1, length);
    this.#lastHash = hash;
    this.#codes = this.#codesBefore;
    this.#codesBefore = codes;
    this.#lengthBefore = length;
  }
}

/** The class of a number as an age or a year. */
function classifyNumber(value: number): string {
  if (value < 3) return 'few';
  if (value < 13) return 'child';
  if (value < 18) return 'teen';
  if (value < 100) return 'adult';
  return value >= 1900 && value < 2100 ? 'year' : 'many';
}
