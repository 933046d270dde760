/**
 * Turns a sentence into hashed features: character n-grams, words, and pairs of consecutive words. Pure, linear time, and
 * language-independent. Equivalent spellings (accents, look-alike letters, digits for letters, doubled or spaced letters,
 * full width, katakana) give the same features.
 */

/** Unicode ranges of the scripts used by the twelve languages. */
const HAN_FROM = 0x3400;
const HAN_TO = 0x9fff;
const KANA_FROM = 0x3041;
const KANA_TO = 0x30fe;
const KATAKANA = /[\u30a1-\u30f6]/g;
const KATAKANA_TO_HIRAGANA = 0x60;

const ASCII = /^[\u0000-\u007f]*$/; // oxlint-disable-line no-control-regex -- ASCII includes the control characters
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Accents of Latin, Greek and Cyrillic, strokes through letters, and the nukta of Devanagari. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u093c]/g;
const WHOLE_LETTERS = /[ßœæøłıđ]/g;
const LETTER_FOR: Readonly<Record<string, string>> = {
  ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', ı: 'i', đ: 'd',
}; // prettier-ignore

/** Cyrillic and Greek letters that look like Latin ones. A word that mixes scripts is likely an evasion. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', в: 'b', е: 'e', з: '3', і: 'i', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x',
  ѕ: 's', ј: 'j', α: 'a', β: 'b', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x',
}; // prettier-ignore
/** Digits and symbols that replace a letter inside a Latin word. */
const LEET: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i', '|': 'l',
}; // prettier-ignore
const LEET_IN_WORD = /(?<=[a-z])[013457@$!|](?=[a-z])/g;
const STARS_IN_WORD = /(?<=[a-z])[*#](?=[a-z*#])/g;
const APOSTROPHES = /(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu;
const LATIN = /[a-z]/;
const OTHER_ALPHABET = /[\u0370-\u03ff\u0400-\u052f]/;
const ALPHABETIC_RUN = /[a-z\u0370-\u03ff\u0400-\u052f]+/g;

/** Normalises equivalent spellings. The result is at most three times as long as the text. */
export function normalizeText(text: string): string {
  let plain = text;
  if (!ASCII.test(text)) {
    plain = text.toWellFormed().normalize('NFKD').replace(INVISIBLE, '').replace(MARKS, '').normalize('NFC');
    plain = plain.toLowerCase().replace(WHOLE_LETTERS, (letter) => LETTER_FOR[letter] ?? letter);
    if (OTHER_ALPHABET.test(plain) && LATIN.test(plain))
      plain = plain.replace(ALPHABETIC_RUN, (word) =>
        LATIN.test(word) ? word.replace(/[^a-z]/g, (letter) => LOOK_ALIKES[letter] ?? letter) : word,
      );
  } else plain = text.toLowerCase();
  plain = plain.replace(APOSTROPHES, '');
  if (!LATIN.test(plain)) return plain;
  return plain.replace(LEET_IN_WORD, (sign) => LEET[sign] ?? sign).replace(STARS_IN_WORD, '');
}

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

/** Lengths of the character n-grams: within words, and within runs of ideographs and kana. */
const WORD_GRAMS = { from: 4, to: 4 };
const IDEOGRAPH_GRAMS = { from: 1, to: 2 };
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

/** Reads a sentence, at once or in pieces; each character is read once. */
export class FeatureReader {
  readonly #sink: FeatureSink;
  /** The current word or run; a word has a mark at both ends. */
  word = '';
  /** The previous word, in the same form. */
  before = '';
  /** Number of words, ideographs and kana before `word`. */
  place = 0;
  #carry = '';
  #lastHash = 0;
  #sentence = SEED;
  #spelt = '';

  constructor(sink: FeatureSink) {
    this.#sink = sink;
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
      const run = text.slice(from, at);
      if (sign === Sign.Letter && run.length === 1 && text.charCodeAt(from) < 0x80) {
        this.#spelt += run;
        continue;
      }
      this.#unspell();
      if (sign === Sign.Digit) this.#number(run);
      else if (sign === Sign.Ideograph) this.#ideographs(run);
      else this.#letters(run);
    }
  }

  /** Handles single letters: a word spelt out, or words of one letter. */
  #unspell(): void {
    const spelt = this.#spelt;
    if (spelt === '') return;
    this.#spelt = '';
    if (spelt.length >= MIN_SPELT) this.#letters(spelt);
    else for (const letter of spelt) this.#letters(letter);
  }

  #letters(word: string): void {
    // Collapse repeated letters: "kiiiill" and "kill" are the same word.
    let single = '<';
    for (let at = 0; at < word.length; at += 1) {
      const letter = word[at] as string;
      if (letter !== word[at - 1]) single += letter;
    }
    this.#grams(`${single}>`, WORD_GRAMS.from, WORD_GRAMS.to);
    this.#whole(`${single}>`);
    this.place += 1;
  }

  /** Classifies numbers by size: an age of a child, a teenager or an adult, a year, or another number. */
  #number(digits: string): void {
    const value = Number(digits.replace(/[\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) - 0x966)));
    this.#whole(`#${classifyNumber(value)}`);
    this.place += 1;
  }

  #ideographs(run: string): void {
    const folded = run.replace(KATAKANA, (sign) =>
      String.fromCharCode(sign.charCodeAt(0) - KATAKANA_TO_HIRAGANA),
    );
    this.#grams(folded, IDEOGRAPH_GRAMS.from, IDEOGRAPH_GRAMS.to);
    for (let at = 0; at < folded.length; at += 1) this.#sentence = mix(this.#sentence, folded.charCodeAt(at));
    this.place += run.length;
    this.#forget();
  }

  #grams(word: string, least: number, most: number): void {
    this.word = word;
    const sink = this.#sink;
    const end = word.length;
    for (let from = 0; from + least <= end; from += 1) {
      let hash = SEED;
      const last = Math.min(end, from + most);
      for (let at = from; at < last; at += 1) {
        hash = mix(hash, word.charCodeAt(at));
        if (at - from + 1 >= least) sink(finish(hash), from, at + 1);
      }
    }
  }

  /** Emits the word, and its pair with the previous one. */
  #whole(word: string): void {
    this.word = word;
    let hash = SEED ^ 0x55;
    for (let at = 0; at < word.length; at += 1) hash = mix(hash, word.charCodeAt(at));
    this.#sentence = mix(this.#sentence, hash);
    this.#sink(finish(hash), 0, word.length);
    if (this.#lastHash !== 0) this.#sink(finish(mix(this.#lastHash, hash)), -1, word.length);
    this.#lastHash = hash;
    this.before = word;
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
