/* oxlint-disable typescript/no-non-null-assertion -- loops over arrays whose lengths are known */
import { SENTENCES_TOGETHER } from '../../src/features/safety/classifier.ts';
import { splitSentences } from '../../src/features/safety/sentences.ts';
import { FeatureReader } from '../../src/features/safety/text-features.ts';

/** The unit that the classifier reads: a sentence on its own, or together with those before it. */
export interface Window {
  /** The hash of each feature, or its index in the vocabulary. */
  features: Uint32Array;
  /** The first and the last word of each feature; ideographs and kana count as words. */
  first: Uint16Array;
  last: Uint16Array;
  words: number;
}

/** Matches features of words and numbers; all others consist of ideographs and kana. */
const isWord = (run: string): boolean => run.startsWith('<') || run.startsWith('#');

function readSentence(sentence: string): Window {
  const features: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  const seen = new Set<number>();
  const reader: FeatureReader = new FeatureReader((hash, from, to) => {
    if (seen.has(hash)) return;
    seen.add(hash);
    features.push(hash >>> 0);
    const { place, word } = reader;
    first.push(isWord(word) ? place + Math.min(0, from) : place + from);
    last.push(isWord(word) ? place : place + to - 1);
  });
  reader.push(sentence);
  reader.end();
  return {
    features: Uint32Array.from(features),
    first: Uint16Array.from(first),
    last: Uint16Array.from(last),
    words: reader.place,
  };
}

function join(windows: readonly Window[]): Window {
  const before = windows.map((_, index) =>
    windows.slice(0, index).reduce((sum, { words }) => sum + words, 0),
  );
  const shift = (name: 'first' | 'last') =>
    Uint16Array.from(windows.flatMap((one, index) => Array.from(one[name], (word) => word + before[index]!)));
  return {
    features: Uint32Array.from(windows.flatMap(({ features }) => [...features])),
    first: shift('first'),
    last: shift('last'),
    words: windows.reduce((sum, { words }) => sum + words, 0),
  };
}

/** Returns all windows of a text, as the classifier reads them. */
export function readWindows(text: string): Window[] {
  const sentences = splitSentences(text)
    .map((sentence) => readSentence(sentence))
    .filter(({ features }) => features.length > 0);
  return sentences.flatMap((sentence, index) =>
    index === 0
      ? [sentence]
      : [sentence, join(sentences.slice(Math.max(0, index - SENTENCES_TOGETHER + 1), index + 1))],
  );
}

/** Returns the hash under which a sentence is stored. */
export function hashSentence(sentence: string): number {
  const reader = new FeatureReader(() => {});
  reader.push(sentence);
  return reader.end() >>> 0;
}

/** The features that are in enough texts, with their indexes. */
export class Vocabulary {
  readonly #places = new Map<number, number>();
  readonly hashes: number[] = [];
  /** The number of texts with each feature. */
  readonly counts: number[] = [];

  constructor(texts: readonly (readonly Window[])[], leastTexts: number) {
    const counts = new Map<number, number>();
    for (const windows of texts)
      for (const hash of new Set(windows.flatMap(({ features }) => [...features])))
        counts.set(hash, (counts.get(hash) ?? 0) + 1);
    for (const [hash, count] of counts) {
      if (count < leastTexts) continue;
      this.#places.set(hash, this.hashes.length);
      this.hashes.push(hash);
      this.counts.push(count);
    }
  }

  /** Returns the window with the indexes of its known features. */
  read(window: Window): Window {
    return pickFeatures(window, (hash) => this.#places.get(hash) ?? -1);
  }
}

/** Returns a window with renamed features. @param rename returns -1 to leave a feature out */
export function pickFeatures(
  { features, first, last, words }: Window,
  rename: (feature: number) => number,
): Window {
  const names = features.map((feature) => rename(feature));
  const known = (_: number, index: number) => names[index] !== 0xff_ff_ff_ff;
  return {
    features: names.filter(known),
    first: first.filter(known),
    last: last.filter(known),
    words,
  };
}
