import { HashSet } from '../../lib/hash-set.ts';
import { memoizeRecent } from '../../lib/memoize-lru.ts';
import { LABELS, type Label } from './labels.ts';
import { splitSentences } from './sentences.ts';
import { FeatureReader } from './text-features.ts';

/** The score of each label for a text, in log-odds: above 0 the label is more likely than not. */
export type Scores = Record<Label, number>;

/** Accumulated features of one sentence, before its neighbours are taken into account. */
export interface Sums {
  vector: Float64Array;
  /** Number of features found in the weights. */
  count: number;
  /** The projection of the vector on the hidden units, cached once the sentence is complete. */
  units?: readonly number[];
  /** For a memorised sentence, its index in `LABELS`; `LABELS.length` if it is harmless. */
  known?: number | undefined;
}

/** A complete sentence and its latest scores with the sentences before it. */
interface ReadSentence {
  id: number;
  sums: Sums;
  scores?: Scores | undefined;
  /** The ids of the sentences before it; 0 for none. */
  before: number;
  second: number;
}

export const addSums = (one: Sums, other: Sums): Sums => ({
  vector: one.vector.map((value, at) => value + (other.vector[at] as number)),
  count: one.count + other.count,
});

/** Scores of an empty text. */
export const createScores = (): Scores => ({ ...NOTHING });
const LEAST = Number.NEGATIVE_INFINITY;
const NOTHING: Scores = {
  suicide: LEAST,
  self_harm: LEAST,
  threat: LEAST,
  encouragement: LEAST,
  sexual: LEAST,
  minor: LEAST,
};

/** Raises each score to the other one if that is higher. */
export function mergeMaxScores(scores: Scores, other: Scores): void {
  for (const label of LABELS) if (other[label] > scores[label]) scores[label] = other[label];
}

/**
 * The weights file, little-endian:
 *
 * - header: the letters `LLW4`; the numbers of dimensions, hidden units, buckets and known sentences (uint32 each); the
 *   fingerprint of the training data (8 bytes)
 * - float32: the centroids (two parts of 256 vectors), the hidden layer (a row and a bias per unit), the labels (a row
 *   and a bias each)
 * - uint32: the hashes of the known sentences, ascending
 * - four entries per bucket: first all codes (uint16, the centroid of the first part in the upper byte), then all marks
 *   (uint8, 0 for an empty entry)
 * - uint8: the label of each known sentence
 */
export const FORMAT = {
  magic: 0x34574c4c,
  headerBytes: 28,
  parts: 2,
  centroids: 256,
  slots: 4,
} as const;

/** Slope of the leaky ReLU below 0. */
const LEAK = 0.1;
/** Added to the number of features, because a few letters are weak evidence. */
export const EVIDENCE = 10;
/** A sentence is scored alone and together with the preceding ones, up to this number in total. */
export const SENTENCES_TOGETHER = 3;

/** Score of a memorised sentence for its label; the negative value for all other labels. */
const CERTAIN = 6;

/** The two candidate buckets of a feature, and its mark in them. */
export const getFirstBucket = (hash: number, buckets: number): number => ((hash >>> 16) * buckets) >>> 16;
export const getSecondBucket = (hash: number, buckets: number): number =>
  ((Math.imul(hash, 0x9e3779b1) >>> 16) * buckets) >>> 16;
export const getMark = (hash: number): number => ((Math.imul(hash, 0x85ebca6b) >>> 24) % 255) + 1;

/**
 * A small neural network over hashed n-grams, shared by all languages and linear in the text length. Each known feature
 * has a short vector; the sum for a sentence passes one hidden layer to give the scores (like fastText with product
 * quantization).
 */
export class Classifier {
  /** Fingerprint of the training data and code, in hexadecimal. */
  readonly fingerprint: string;
  readonly #size: number;
  readonly #hidden: number;
  readonly #excited: Float64Array;
  readonly #together: Float64Array;
  readonly #best = new Float64Array(LABELS.length);
  /** Copied for new projections: copying takes less time than creating typed arrays. */
  readonly #noUnits: readonly number[];
  /** Reused by sentences that are read at once, because allocating it takes as long as a tenth of the reading. */
  readonly #seen = new HashSet();
  readonly #buckets: number;
  readonly #centroids: Float64Array;
  readonly #units: Float64Array;
  readonly #labels: Float64Array;
  readonly #codes: Uint16Array;
  readonly #marks: Uint8Array;
  readonly #known: Uint32Array;
  readonly #knownLabels: Uint8Array;

  #lastId = 0;
  /** Reads a complete sentence; remembered, because texts are read with and without some of their sentences. */
  readonly #readOnce = memoizeRecent(128, (sentence): ReadSentence => {
    const sums = this.read(sentence);
    sums.units = this.#project(sums.vector);
    this.#lastId += 1;
    return { id: this.#lastId, sums, before: 0, second: 0 };
  });

  /** @throws Error when the bytes are not weights of this version */
  constructor(file: ArrayBuffer) {
    const { magic, headerBytes, parts, centroids, slots } = FORMAT;
    const [letters = 0, size = 0, hidden = 0, buckets = 0, known = 0] = new Uint32Array(file, 0, 5);
    const lengths = [centroids * size, hidden * (size + 1), LABELS.length * (hidden + 1)] as const;
    const floats = lengths[0] + lengths[1] + lengths[2];
    const entries = buckets * slots;
    if (
      letters !== magic ||
      size % parts !== 0 ||
      file.byteLength !== headerBytes + 4 * floats + 3 * entries + 5 * known
    )
      throw new Error('The weights of the text classifier are damaged');
    this.fingerprint = new DataView(file).getBigUint64(20, true).toString(16).padStart(16, '0');
    this.#size = size;
    this.#hidden = hidden;
    this.#noUnits = Array.from({ length: hidden }, (_, unit) => unit + 0.5);
    this.#excited = new Float64Array(hidden);
    this.#together = new Float64Array(hidden);
    this.#buckets = buckets;
    this.#centroids = Float64Array.from(new Float32Array(file, headerBytes, lengths[0]));
    this.#units = Float64Array.from(new Float32Array(file, headerBytes + 4 * lengths[0], lengths[1]));
    this.#labels = Float64Array.from(
      new Float32Array(file, headerBytes + 4 * (lengths[0] + lengths[1]), lengths[2]),
    );
    const table = headerBytes + 4 * (floats + known);
    this.#known = new Uint32Array(file, headerBytes + 4 * floats, known);
    this.#codes = new Uint16Array(file, table, entries);
    this.#marks = new Uint8Array(file, table + 2 * entries, entries);
    this.#knownLabels = new Uint8Array(file, table + 3 * entries, known);
  }

  /** The entry of a feature; -1 if it is unknown. */
  #find(hash: number): number {
    const mark = getMark(hash);
    const marks = this.#marks;
    let slot = getFirstBucket(hash, this.#buckets) * 4;
    for (let end = slot + 4; slot < end; slot += 1) if (marks[slot] === mark) return slot;
    slot = getSecondBucket(hash, this.#buckets) * 4;
    for (let end = slot + 4; slot < end; slot += 1) if (marks[slot] === mark) return slot;
    return -1;
  }

  /** Adds a feature's vector. @returns whether the feature is known */
  #add(vector: Float64Array, hash: number): boolean {
    const entry = this.#find(hash);
    if (entry === -1) return false;
    const centroids = this.#centroids;
    const code = this.#codes[entry] as number;
    const half = this.#size / 2;
    const one = (code >>> 8) * half;
    const other = (256 + (code & 0xff)) * half;
    for (let at = 0; at < half; at += 1) {
      vector[at] = (vector[at] as number) + (centroids[one + at] as number);
      vector[half + at] = (vector[half + at] as number) + (centroids[other + at] as number);
    }
    return true;
  }

  /** Reads a sentence, at once or in pieces; `sums` accumulates with each `push`. */
  reader(seen = new HashSet()): { reader: FeatureReader; sums: Sums } {
    const sums: Sums = { vector: new Float64Array(this.#size), count: 0 };
    // Repeated features count once, so a drawn-out scream scores no higher than a short one.
    const reader = new FeatureReader((hash) => {
      if (!seen.add(hash)) return;
      if (this.#add(sums.vector, hash)) sums.count += 1;
    });
    return { reader, sums };
  }

  /** The sums of a complete sentence. */
  read(sentence: string): Sums {
    this.#seen.clear();
    const { reader, sums } = this.reader(this.#seen);
    sums.known = this.#recall(reader.readAll(sentence) >>> 0);
    return sums;
  }

  /** Completes the sentence of a reader. @returns its sums */
  end(reader: FeatureReader, sums: Sums): Sums {
    sums.known = this.#recall(reader.end() >>> 0);
    return sums;
  }

  /** The label of a memorised sentence. The plainest sentences have too few words for the network to be certain. */
  #recall(sentence: number): number | undefined {
    let [from, to] = [0, this.#known.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#known[middle] as number) < sentence) from = middle + 1;
      else to = middle;
    }
    return this.#known[from] === sentence ? this.#knownLabels[from] : undefined;
  }

  /** Projects a feature vector on the hidden units, without bias. */
  #project(vector: Float64Array): number[] {
    const size = this.#size;
    const rows = this.#units;
    const units = this.#noUnits.slice();
    for (let unit = 0, at = 0; unit < units.length; unit += 1, at += 1) {
      let sum = 0;
      for (let index = 0; index < size; index += 1, at += 1)
        sum += (rows[at] as number) * (vector[index] as number);
      units[unit] = sum;
    }
    return units;
  }

  /** Applies the normalisation by feature count, the bias and the leaky ReLU. */
  #excite(units: Float64Array | readonly number[], count: number): Float64Array {
    const excited = this.#excited;
    const row = this.#size + 1;
    const root = 1 / Math.sqrt(count + EVIDENCE);
    for (let unit = 0, bias = this.#size; unit < excited.length; unit += 1, bias += row) {
      const value = (units[unit] as number) * root + (this.#units[bias] as number);
      excited[unit] = value > 0 ? value : value * LEAK;
    }
    return excited;
  }

  /** Scores the last sentence: per label the higher score of the sentence alone and together with the preceding ones. */
  scoreLast(sentences: readonly Sums[]): Scores {
    const scores = createScores();
    const last = sentences.length - 1;
    if (last < 0 || sentences[last]?.count === 0) return scores;
    const units = this.#together.fill(0);
    const labels = this.#labels;
    const best = this.#best.fill(LEAST);
    const first = Math.max(0, sentences.length - SENTENCES_TOGETHER);
    let count = 0;
    for (let index = last; index >= first; index -= 1) {
      const sums = sentences[index] as Sums;
      const own = sums.units ?? this.#project(sums.vector);
      // Do not cache the last sentence; it may be incomplete.
      if (index < last) sums.units = own;
      for (let unit = 0; unit < units.length; unit += 1)
        units[unit] = (units[unit] as number) + (own[unit] as number);
      count += sums.count;
      // Score only the sentence alone and the whole group.
      if (index !== last && index !== first) continue;
      if (index === last && sums.known !== undefined) {
        for (let label = 0; label < LABELS.length; label += 1)
          best[label] = sums.known === label ? CERTAIN : -CERTAIN;
        continue;
      }
      const excited = this.#excite(units, count);
      for (let label = 0, at = 0; label < LABELS.length; label += 1, at += 1) {
        // Two accumulators shorten the dependency chain between additions.
        let even = 0;
        let odd = 0;
        for (let unit = 0; unit < excited.length; unit += 2, at += 2) {
          even += (labels[at] as number) * (excited[unit] as number);
          odd += (labels[at + 1] as number) * (excited[unit + 1] as number);
        }
        best[label] = Math.max(best[label] as number, even + odd + (labels[at] as number));
      }
    }
    for (let label = 0; label < LABELS.length; label += 1)
      scores[LABELS[label] as Label] = best[label] as number;
    return scores;
  }

  /** Splits a text into sentences and scores each, alone and with the preceding ones. */
  sentences(text: string): { sentence: string; scores: Scores }[] {
    const recent: ReadSentence[] = [];
    return splitSentences(text).map((sentence) => {
      const read = this.#readOnce(sentence);
      if (read.sums.count === 0) return { sentence, scores: createScores() };
      const [before = 0, second = 0] = [recent.at(-1)?.id, recent.at(-2)?.id];
      recent.push(read);
      if (recent.length > SENTENCES_TOGETHER) recent.shift();
      if (read.before !== before || read.second !== second) read.scores = undefined;
      read.scores ??= this.scoreLast(recent.map(({ sums }) => sums));
      [read.before, read.second] = [before, second];
      return { sentence, scores: read.scores };
    });
  }

  /** The highest score per label over all sentences of a text. */
  classify(text: string): Scores {
    const scores = createScores();
    for (const one of this.sentences(text)) mergeMaxScores(scores, one.scores);
    return scores;
  }

  /**
   * Computes the contribution of each feature to a label's score. Exact, because the network is linear between the
   * activation thresholds of its hidden units.
   * @param hashes without duplicates
   * @returns log-odds per hash; 0 for an unknown feature
   */
  weigh(hashes: readonly number[], label: Label): number[] {
    const vector = new Float64Array(this.#size);
    let count = 0;
    for (const hash of hashes) if (this.#add(vector, hash)) count += 1;
    const excited = this.#excite(this.#project(vector), count);
    const row = LABELS.indexOf(label) * (this.#hidden + 1);
    const slope = new Float64Array(this.#size);
    for (let unit = 0; unit < this.#hidden; unit += 1) {
      const weight = (this.#labels[row + unit] as number) * ((excited[unit] as number) > 0 ? 1 : LEAK);
      for (let at = 0; at < this.#size; at += 1)
        slope[at] = (slope[at] as number) + weight * (this.#units[unit * (this.#size + 1) + at] as number);
    }
    const root = Math.sqrt(count + EVIDENCE);
    return hashes.map((hash) => {
      const one = new Float64Array(this.#size);
      this.#add(one, hash);
      return one.reduce((sum, value, at) => sum + value * (slope[at] as number), 0) / root;
    });
  }
}
