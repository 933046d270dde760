/* oxlint-disable typescript/no-non-null-assertion -- loops over typed arrays whose lengths are known */
import { LABELS } from '../../src/features/safety/labels.ts';
import { splitSentences } from '../../src/features/safety/sentences.ts';
import type { SafetyText } from './data.ts';
import { MOST_FEATURES } from './encoding.ts';
import { mergeNetworks } from './merging.ts';
import { ALARMING, Network, randomNumbers } from './network.ts';
import { Quantizer } from './quantizing.ts';
import { hashSentence, pickFeatures, readWindows, Vocabulary, type Window } from './windows.ts';

/**
 * Trains the weights of the classifier. A text scores as high as its strongest sentence, so training on a labelled text
 * uses only that sentence (multiple-instance learning), and the label need not name the sentence. Training is
 * deterministic: the same texts give the same weights.
 */

/** Features in fewer texts are left out. */
const LEAST_TEXTS = 4;
/** The number of independently trained networks; the classifier is their mean, which errs less than each of them. */
const NETWORKS = 4;
/** The sizes of each network. */
const SIZE = 16;
const HIDDEN = 16;
/** The vector size of their mean. */
const MERGED_SIZE = 8;
const EPOCHS = 16;
/** The epochs of the network that chooses the features. */
const SCOUT_EPOCHS = 6;
const RATE = 0.1;
/** The target for a label, below 1 so that scores keep their order far from the threshold (label smoothing). */
const CERTAINTY = 0.97;
const DOUBT = 0.01;
/** The shares of words, and of the remaining words' features, that each step leaves out (dropout). */
const WORD_DROPOUT = 0.3;
const FEATURE_DROPOUT = 0.2;
/** Shorter windows keep all words. */
const LEAST_WORDS = 3;
/** The number of sentences of a long harmless text in one step. */
const HARMLESS_WINDOWS = 6;
/** How often each epoch repeats the plainest texts of each label, so that none of them is missed. */
const CORE_TIMES = 6;
/** Batches whose sentences the classifier stores with their labels: the plainest texts, and single sentences. */
const KNOWN_BATCHES: ReadonlySet<string> = new Set(['core', 'known']);
/** The weight of an error in the kind of a harmless text. */
const KIND_WEIGHT = 0.3;
/** The number of windows of a text that train the quantizer. */
const QUANTIZED_WINDOWS = 3;
const MINOR = LABELS.indexOf('minor');

interface Example {
  /** The features of each sentence on its own, and together with those before it. */
  windows: Window[];
  /** -1 for none. */
  label: number;
  wanted: readonly number[];
  /** An age or a child in the text leaves open whether `minor` applies, so that label is not trained on it. */
  skipsMinor: boolean;
}

export interface Model {
  network: Network;
  /** The hash of each feature, the most useful first. */
  hashes: Uint32Array;
  /** The centroid of each part of each feature's vector, and all centroids. */
  codes: Uint8Array;
  centroids: Float32Array;
  /** The labels of stored sentences by their hashes. */
  known: ReadonlyMap<number, number>;
}

class Trainer {
  readonly #network: Network;
  readonly #examples: Example[];
  readonly #next: () => number;
  readonly #errors: Float32Array;
  readonly #kept = new Uint32Array(100_000);
  readonly #isLeftOut = new Uint8Array(100_000);

  constructor(network: Network, examples: readonly Example[], next: () => number) {
    this.#network = network;
    this.#examples = [...examples];
    this.#next = next;
    this.#errors = new Float32Array(network.shape.outputs);
  }

  /** Trains, and sets the weights to their mean over the later epochs, so that they depend less on the last steps. */
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
    // A harmless text has no decisive sentence, so it trains on several.
    for (let more = 1; more < Math.min(HARMLESS_WINDOWS, windows.length); more += 1)
      this.#learnFrom(windows[Math.floor(this.#next() * windows.length)]!, example, rate);
  }

  #learnFrom(window: Window, example: Example, rate: number): void {
    const kept = this.#kept;
    const count = this.#drop(window);
    if (count === 0) return;
    const scores = this.#network.read(kept, count);
    const errors = this.#errors;
    for (let output = 0; output < errors.length; output += 1) {
      const error =
        1 / (1 + Math.exp(-scores[output]!)) - (example.wanted.includes(output) ? CERTAINTY : DOUBT);
      errors[output] =
        output === MINOR && example.skipsMinor ? 0 : error * (output > ALARMING ? KIND_WEIGHT : 1);
    }
    this.#network.learn(kept, count, errors, rate);
  }

  /** Keeps some of the features (dropout). @returns their number */
  #drop({ features, first, last, words }: Window): number {
    const isLeftOut = this.#isLeftOut;
    for (let word = 0; word < words; word += 1)
      isLeftOut[word] = words >= LEAST_WORDS && this.#next() < WORD_DROPOUT ? 1 : 0;
    let count = 0;
    for (let index = 0; index < features.length; index += 1) {
      let isKept = this.#next() >= FEATURE_DROPOUT;
      for (let word = first[index]!; isKept && word <= last[index]!; word += 1)
        isKept = isLeftOut[word] === 0;
      if (isKept) this.#kept[count++] = features[index]!;
    }
    return count;
  }

  /** Returns the window with the highest score for the label, or the most alarming one of a harmless text. */
  #strongest({ windows, label }: Example): Window {
    let most = Number.NEGATIVE_INFINITY;
    let strongest = windows[0]!;
    if (windows.length === 1) return strongest;
    for (const window of windows) {
      const scores = this.#network.read(window.features);
      const score = label === -1 ? Math.max(...scores.subarray(0, LABELS.length)) : scores[label]!;
      if (score <= most) continue;
      most = score;
      strongest = window;
    }
    return strongest;
  }
}

/** Lists the outputs that a text should have. @param label -1 for none @param kind the kind of a harmless text */
function listWanted(label: number, kind: number): number[] {
  if (label === -1) return [ALARMING + 1 + kind];
  return label === MINOR ? [MINOR] : [label, ALARMING];
}

/** Returns the sentences to store with their labels, without those that have different labels in two languages. */
function learnByHeart(texts: readonly SafetyText[]): Map<number, number> {
  const known = new Map<number, number>();
  const doubtful = new Set<number>();
  for (const { text, labels, batch } of texts) {
    if (!KNOWN_BATCHES.has(batch) || splitSentences(text).length !== 1) continue;
    const hash = hashSentence(text);
    const label = labels[0] === undefined ? LABELS.length : LABELS.indexOf(labels[0]);
    if (known.has(hash) && known.get(hash) !== label) doubtful.add(hash);
    known.set(hash, label);
  }
  for (const hash of doubtful) known.delete(hash);
  return known;
}

/** Trains on texts. @param report is called after each step */
export function train(all: readonly SafetyText[], report: (step: string) => void = () => {}): Model {
  const texts = all.filter(({ batch }) => batch !== 'known');
  const next = randomNumbers(12);
  const kinds = [...new Set(texts.flatMap(({ kind = [] }) => kind))].toSorted();
  const read = texts.map(({ text }) => readWindows(text));
  const vocabulary = new Vocabulary(read, LEAST_TEXTS);
  const { counts } = vocabulary;
  const examples = texts.flatMap(({ labels, kind, skip, batch }, index): Example[] => {
    const windows = read[index]!.map((window) => vocabulary.read(window)).filter(
      ({ features }) => features.length > 0,
    );
    if (windows.length === 0) return [];
    const label = labels[0] === undefined ? -1 : LABELS.indexOf(labels[0]);
    const wanted = listWanted(label, kinds.indexOf(kind ?? ''));
    const example = { windows, label, wanted, skipsMinor: skip !== undefined };
    return Array.from({ length: batch === 'core' ? CORE_TIMES : 1 }, () => example);
  });
  report(`read ${examples.length} examples with ${counts.length} features`);

  const outputs = ALARMING + 1 + kinds.length;
  const trainNetwork = (from: readonly Example[], features: number, epochs: number): Network => {
    const network = new Network({ features, size: SIZE, hidden: HIDDEN, outputs }, next);
    new Trainer(network, from, next).run(epochs, RATE);
    return network;
  };

  // A first network finds the features that weigh most in most texts; only these are kept.
  const scout = trainNetwork(examples, counts.length, SCOUT_EPOCHS);
  const importance = counts.map(
    (count, feature) =>
      Math.sqrt(count) * Math.hypot(...scout.vectors.subarray(feature * SIZE, (feature + 1) * SIZE)),
  );
  const kept = importance
    .map((_, feature) => feature)
    .toSorted((one, other) => importance[other]! - importance[one]!)
    .slice(0, MOST_FEATURES);
  const places = new Map(kept.map((feature, place) => [feature, place]));
  const fewer = examples.flatMap((example) => {
    const windows = example.windows
      .map((window) => pickFeatures(window, (feature) => places.get(feature) ?? -1))
      .filter(({ features }) => features.length > 0);
    return windows.length > 0 ? [{ ...example, windows }] : [];
  });
  report(`kept ${kept.length} features`);

  const networks = Array.from({ length: NETWORKS }, (_, index) => {
    const network = trainNetwork(fewer, kept.length, EPOCHS);
    report(`trained network ${index + 1} of ${NETWORKS}`);
    return network;
  });
  const network = mergeNetworks(
    networks,
    kept.map((feature) => counts[feature]!),
    MERGED_SIZE,
  );
  const windows = fewer.flatMap((example) =>
    example.windows.slice(0, QUANTIZED_WINDOWS).map(({ features }) => features),
  );
  const { codes, centroids } = new Quantizer(network, windows, next);
  report('merged the networks and rounded their vectors');
  return {
    network,
    hashes: Uint32Array.from(kept, (feature) => vocabulary.hashes[feature]!),
    codes,
    centroids,
    known: learnByHeart(all),
  };
}
