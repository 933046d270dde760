/* oxlint-disable typescript/no-non-null-assertion -- loops over typed arrays whose lengths are known */
import {
  firstBucket,
  FORMAT,
  getMark,
  secondBucket,
  SENTENCES_TOGETHER,
} from '../../src/features/safety/classifier.ts';
import { LABELS } from '../../src/features/safety/labels.ts';
import { namesRelative, readAges } from '../../src/features/safety/ages.ts';
import { splitSentences } from '../../src/features/safety/sentences.ts';
import { FeatureReader } from '../../src/features/safety/text-features.ts';
import type { SafetyText } from './data.ts';
import { Network, randomNumbers } from './network.ts';

/**
 * Learns the weights of the classifier. A text is as strong as its strongest sentence, so of a labelled text only that one
 * is learned from (multiple-instance learning): in a long text nobody has to say which sentence it was. Deterministic: the
 * same texts give the same weights.
 */

/** Features in fewer texts are left out. */
const MIN_TEXTS = 4;
const SIZE = 12;
const HIDDEN = 32;
/** Buckets of four entries: what fits into 400 kB. */
const BUCKETS = 23_800;
/** Of all entries so many are used: fuller tables cannot be filled. */
const LOAD = 0.96;
const EPOCHS = 12;
/** After features were left out. */
const TUNING_EPOCHS = 4;
const RATE = 0.05;
/** Labels are learned as that likely, not as certain: scores keep their order far from the threshold (label smoothing). */
const CERTAINTY = 0.97;
const DOUBT = 0.01;
/** So many features of a text are left out each time it is learned from: the others have to do. */
const DROPOUT = 0.4;
/** Of a long harmless text so many sentences are learned from at once. */
const HARMLESS_WINDOWS = 6;
/** The plainest texts of each label are learned from so often, so that none of them is missed. */
const CORE_TIMES = 6;
/** How much it weighs that a harmless text is taken for one of another kind. */
const KIND_WEIGHT = 0.3;
/** Years of birth are read as of this year, so that the weights do not depend on the day. */
const YEAR = 2026;
const MINOR = LABELS.indexOf('minor');

interface Example {
  /** The features of each sentence by itself, and together with those before it. */
  windows: Uint32Array[];
  label: number;
  kind: number;
  /** Whether it is left open if somebody present is a minor: of scenes with children, and of young writers. */
  isYoung: boolean;
}

export interface Model {
  network: Network;
  /** The hash of each feature. */
  hashes: Uint32Array;
  /** Three centroids for each feature, and where they are. */
  codes: Uint8Array;
  centroids: Float32Array;
}

function readWindows(text: string): number[][] {
  const sentences: number[][] = [];
  for (const sentence of splitSentences(text)) {
    const features: number[] = [];
    const reader = new FeatureReader((hash) => void features.push(hash >>> 0));
    reader.push(sentence);
    reader.end();
    if (features.length > 0) sentences.push(features);
  }
  return sentences.flatMap((_, index) =>
    Array.from({ length: Math.min(SENTENCES_TOGETHER, index + 1) }, (__, before) =>
      sentences.slice(index - before, index + 1).flat(),
    ),
  );
}

/** Features by their place, where they are in enough texts. */
class Vocabulary {
  readonly places = new Map<number, number>();
  readonly counts: number[] = [];

  constructor(texts: readonly number[][][]) {
    const counts = new Map<number, number>();
    for (const windows of texts)
      for (const hash of new Set(windows.flat())) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    for (const [hash, count] of counts) if (count >= MIN_TEXTS) this.#put(hash, count);
  }

  #put(hash: number, count: number): void {
    this.places.set(hash, this.places.size);
    this.counts.push(count);
  }

  read(window: readonly number[]): Uint32Array {
    return Uint32Array.from(window.flatMap((hash) => this.places.get(hash) ?? []));
  }
}

class Trainer {
  readonly #network: Network;
  readonly #examples: Example[];
  readonly #next: () => number;
  readonly #errors: Float32Array;
  readonly #kept = new Uint32Array(100_000);

  constructor(network: Network, examples: readonly Example[], next: () => number) {
    this.#network = network;
    this.#examples = [...examples];
    this.#next = next;
    this.#errors = new Float32Array(network.shape.outputs);
  }

  /** The weights become the mean of what they were after each of the later epochs: they depend less on the last steps. */
  run(epochs: number, rate: number): void {
    const parts = this.#network.parts();
    const sums = parts.map(({ length }) => new Float64Array(length));
    const first = Math.floor(epochs / 2);
    for (let epoch = 0; epoch < epochs; epoch += 1) {
      const slower = rate * (1 - (0.9 * epoch) / epochs);
      this.#shuffle();
      for (const example of this.#examples) this.#learn(example, slower);
      if (epoch < first) continue;
      for (const [index, values] of parts.entries())
        for (let at = 0; at < values.length; at += 1) sums[index]![at]! += values[at]!;
    }
    for (const [index, values] of parts.entries())
      for (let at = 0; at < values.length; at += 1) values[at] = sums[index]![at]! / (epochs - first);
  }

  #shuffle(): void {
    const list = this.#examples;
    for (let last = list.length - 1; last > 0; last -= 1) {
      const other = Math.floor(this.#next() * (last + 1));
      [list[last], list[other]] = [list[other]!, list[last]!];
    }
  }

  #learn(example: Example, rate: number): void {
    this.#learnFrom(this.#strongest(example), example, rate);
    const { label, windows } = example;
    if (label !== -1 || windows.length === 1) return;
    // No sentence of a harmless text shows anything: it is learned from several of them.
    for (let more = 1; more < Math.min(HARMLESS_WINDOWS, windows.length); more += 1)
      this.#learnFrom(windows[Math.floor(this.#next() * windows.length)]!, example, rate);
  }

  #learnFrom(window: Uint32Array, example: Example, rate: number): void {
    const kept = this.#kept;
    let count = 0;
    for (const feature of window) if (this.#next() >= DROPOUT) kept[count++] = feature;
    if (count === 0) return;
    const scores = this.#network.read(kept, count);
    const errors = this.#errors;
    for (let output = 0; output < errors.length; output += 1) {
      const isKind = output >= LABELS.length;
      const isWanted = isKind ? example.kind === output - LABELS.length : example.label === output;
      const error = 1 / (1 + Math.exp(-scores[output]!)) - (isWanted ? CERTAINTY : DOUBT);
      errors[output] = output === MINOR && example.isYoung ? 0 : error * (isKind ? KIND_WEIGHT : 1);
    }
    this.#network.learn(kept, count, errors, rate);
  }

  /** Of a labelled text the sentence that shows its label most; of a harmless one the most alarming. */
  #strongest({ windows, label }: Example): Uint32Array {
    let most = Number.NEGATIVE_INFINITY;
    let strongest = windows[0]!;
    if (windows.length === 1) return strongest;
    for (const window of windows) {
      const scores = this.#network.read(window);
      const score = label === -1 ? Math.max(...scores.subarray(0, LABELS.length)) : scores[label]!;
      if (score <= most) continue;
      most = score;
      strongest = window;
    }
    return strongest;
  }
}

/** Vectors in three parts, each replaced by the nearest of 256 centroids (product quantization). */
class Quantized {
  readonly codes: Uint8Array;
  readonly centroids: Float32Array;
  readonly #part: number;

  constructor(network: Network, weights: ArrayLike<number>, next: () => number) {
    const { features, size } = network.shape;
    this.#part = size / FORMAT.parts;
    this.codes = new Uint8Array(features * FORMAT.parts);
    this.centroids = new Float32Array(FORMAT.parts * FORMAT.centroids * this.#part);
    for (let part = 0; part < FORMAT.parts; part += 1) this.#cluster(network, part, weights, next);
    this.#apply(network);
  }

  /** k-means over one part of all vectors. */
  #cluster({ vectors, shape }: Network, part: number, weights: ArrayLike<number>, next: () => number): void {
    const { features, size } = shape;
    const length = this.#part;
    const own = this.centroids.subarray(
      part * FORMAT.centroids * length,
      (part + 1) * FORMAT.centroids * length,
    );
    const from = (feature: number) => feature * size + part * length;
    for (let centroid = 0; centroid < FORMAT.centroids; centroid += 1) {
      const at = from(Math.floor(next() * features));
      own.set(vectors.subarray(at, at + length), centroid * length);
    }
    for (let round = 0; round < 12; round += 1) {
      const sums = new Float64Array(own.length);
      const totals = new Float64Array(FORMAT.centroids);
      for (let feature = 0; feature < features; feature += 1) {
        const nearest = this.#nearest(own, vectors, from(feature));
        this.codes[feature * FORMAT.parts + part] = nearest;
        totals[nearest]! += weights[feature]!;
        for (let at = 0; at < length; at += 1)
          sums[nearest * length + at]! += weights[feature]! * vectors[from(feature) + at]!;
      }
      for (let at = 0; at < own.length; at += 1) {
        const total = totals[Math.floor(at / length)]!;
        if (total > 0) own[at] = sums[at]! / total;
      }
    }
  }

  #nearest(own: Float32Array, vectors: Float32Array, from: number): number {
    let least = Number.POSITIVE_INFINITY;
    let nearest = 0;
    for (let centroid = 0; centroid < FORMAT.centroids; centroid += 1) {
      let distance = 0;
      for (let at = 0; at < this.#part; at += 1)
        distance += (vectors[from + at]! - own[centroid * this.#part + at]!) ** 2;
      if (distance >= least) continue;
      least = distance;
      nearest = centroid;
    }
    return nearest;
  }

  /** Gives each feature the vector that its centroids make. */
  #apply({ vectors, shape: { features, size } }: Network): void {
    for (let feature = 0; feature < features; feature += 1)
      for (let part = 0; part < FORMAT.parts; part += 1) {
        const from = (part * FORMAT.centroids + this.codes[feature * FORMAT.parts + part]!) * this.#part;
        vectors.set(this.centroids.subarray(from, from + this.#part), feature * size + part * this.#part);
      }
  }
}

/** Learns from texts. @param report is told after each step, with the network as it is by then */
export function train(
  texts: readonly SafetyText[],
  report: (step: string, classify: (windows: readonly number[][]) => Float32Array) => void = () => {},
): Model {
  const next = randomNumbers(4);
  const kinds = [...new Set(texts.map(({ kind }) => kind ?? ''))].toSorted();
  const read = texts.map(({ text }) => readWindows(text));
  const all = new Vocabulary(read);
  const outputs = LABELS.length + kinds.length;
  const network = new Network({ features: all.places.size, size: SIZE, hidden: HIDDEN, outputs }, next);
  const examples = texts.flatMap(({ text, labels, kind, batch }, index): Example[] => {
    const windows = read[index]!.map((window) => all.read(window)).filter(({ length }) => length > 0);
    if (windows.length === 0) return [];
    const label = labels[0] === undefined ? -1 : LABELS.indexOf(labels[0]);
    const hasChild =
      kind === 'children' || kind === 'near-sexual' || readAges(text, YEAR).includes('present');
    const isYoung = label !== MINOR && hasChild && !namesRelative(text);
    const example = { windows, label, kind: kinds.indexOf(kind ?? ''), isYoung };
    return Array.from({ length: batch === 'core' ? CORE_TIMES : 1 }, () => example);
  });
  const classify = (by: Network, places: Vocabulary['places']) => (windows: readonly number[][]) => {
    const best = new Float32Array(LABELS.length).fill(Number.NEGATIVE_INFINITY);
    for (const window of windows) {
      const scores = by.read(Uint32Array.from(window.flatMap((hash) => places.get(hash) ?? [])));
      for (let label = 0; label < best.length; label += 1)
        best[label] = Math.max(best[label]!, scores[label]!);
    }
    return best;
  };
  new Trainer(network, examples, next).run(EPOCHS, RATE);
  report(`learned ${all.places.size} features`, classify(network, all.places));

  // What weighs most in most texts is kept.
  const importance = all.counts.map(
    (count, feature) =>
      Math.sqrt(count) * Math.hypot(...network.vectors.subarray(feature * SIZE, (feature + 1) * SIZE)),
  );
  const most = Math.floor(BUCKETS * FORMAT.slots * LOAD);
  const kept = importance
    .map((_, feature) => feature)
    .toSorted((one, other) => importance[other]! - importance[one]!)
    .slice(0, most);
  const places = new Map(kept.map((feature, place) => [feature, place]));
  const small = network.withFeatures(kept);
  const fewer = examples.flatMap((example) => {
    const windows = example.windows
      .map((window) => [...window].flatMap((feature) => places.get(feature) ?? []))
      .map((window) => Uint32Array.from(window))
      .filter(({ length }) => length > 0);
    return windows.length > 0 ? [{ ...example, windows }] : [];
  });
  const hashOf = [...all.places.keys()];
  const hashes = Uint32Array.from(kept, (feature) => hashOf[feature]!);
  const smallPlaces = new Map([...hashes].map((hash, place) => [hash, place]));
  new Trainer(small, fewer, next).run(TUNING_EPOCHS, RATE / 5);
  report(`kept ${kept.length} features`, classify(small, smallPlaces));

  const counts = kept.map((feature) => Math.sqrt(all.counts[feature]!));
  const quantized = new Quantized(small, counts, next);
  report('quantized', classify(small, smallPlaces));
  return { network: small, hashes, codes: quantized.codes, centroids: quantized.centroids };
}

/** Puts each feature into one of its two buckets (cuckoo hashing). */
function fillTable({ hashes, codes }: Model): Uint32Array {
  const next = randomNumbers(2);
  const slots = new Int32Array(BUCKETS * FORMAT.slots).fill(-1);
  for (let feature = 0; feature < hashes.length; feature += 1) {
    let homeless = feature;
    for (let tries = 0; homeless !== -1; tries += 1) {
      const hash = hashes[homeless]!;
      const [one, other] = [firstBucket(hash, BUCKETS), secondBucket(hash, BUCKETS)];
      const free = [one, other]
        .flatMap((bucket) => [0, 1, 2, 3].map((slot) => bucket * FORMAT.slots + slot))
        .find((slot) => slots[slot] === -1);
      if (free !== undefined) {
        slots[free] = homeless;
        break;
      }
      // The least useful ones come last; a few of them find no place.
      if (tries === 500) break;
      const bucket = next() < 0.5 ? one : other;
      const slot = bucket * FORMAT.slots + Math.floor(next() * FORMAT.slots);
      [homeless, slots[slot]] = [slots[slot]!, homeless];
    }
  }
  return Uint32Array.from(slots, (feature) => {
    if (feature === -1) return 0;
    const mark = getMark(hashes[feature]!);
    const [one = 0, two = 0, three = 0] = codes.subarray(feature * 3, feature * 3 + 3);
    return ((mark << 24) | (one << 16) | (two << 8) | three) >>> 0;
  });
}

/** The file that `Classifier` reads. */
export function encodeWeights(model: Model, fingerprint: string): Uint8Array {
  const { network, centroids } = model;
  const { hidden, size } = network.shape;
  const units = Array.from({ length: hidden }, (_, unit) => [
    ...network.units.values.subarray(unit * size, (unit + 1) * size),
    network.unitBias[unit]!,
  ]).flat();
  const labels = LABELS.flatMap((_, label) => [
    ...network.labels.values.subarray(label * hidden, (label + 1) * hidden),
    network.labelBias[label]!,
  ]);
  const floats = Float32Array.from([...centroids, ...units, ...labels]);
  const entries = fillTable(model);
  const bytes = new Uint8Array(FORMAT.headerBytes + floats.byteLength + entries.byteLength);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of [FORMAT.magic, size, hidden, BUCKETS].entries())
    view.setUint32(4 * index, value, true);
  view.setBigUint64(16, BigInt(`0x${fingerprint}`), true);
  bytes.set(new Uint8Array(floats.buffer), FORMAT.headerBytes);
  bytes.set(new Uint8Array(entries.buffer), FORMAT.headerBytes + floats.byteLength);
  return bytes;
}
