import { EVIDENCE } from '../../src/features/safety/classifier.ts';
import { LABELS } from '../../src/features/safety/labels.ts';

/**
 * The trainable form of the network that `Classifier` runs: averaged feature vectors, one hidden layer, one output for each
 * label, one for any alarming text, and one for each kind of harmless text. The last ones are dropped after training: they
 * make the hidden layer separate similar texts. It is trained by AdaGrad, one text at a time.
 */

/** The output for any label but `minor`. The outputs for kinds of harmless texts follow it. */
export const ALARMING = LABELS.length;
const LEAK = 0.1;

export interface NetworkSize {
  features: number;
  /** The length of a feature's vector. */
  size: number;
  hidden: number;
  outputs: number;
}

/** Returns a generator of numbers from 0 to 1 that is the same in every run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Weights and the sums of their squared gradients. */
interface Weights {
  values: Float32Array;
  squares: Float32Array;
}

const random = (length: number, within: number, next: () => number): Weights => ({
  values: Float32Array.from({ length }, () => (next() * 2 - 1) * within),
  squares: new Float32Array(length).fill(1e-3),
});

/* oxlint-disable typescript/no-non-null-assertion -- loops over typed arrays whose lengths are known */
export class Network {
  readonly shape: NetworkSize;
  readonly vectors: Float32Array;
  readonly #vectorSquares: Float32Array;
  readonly units: Weights;
  readonly unitBias: Float32Array;
  readonly labels: Weights;
  readonly labelBias: Float32Array;
  /** The scores of the features that were read last. */
  readonly scores: Float32Array;
  readonly #sum: Float32Array;
  readonly #excited: Float32Array;
  readonly #sumGradient: Float32Array;
  readonly #unitGradient: Float32Array;
  #root = 1;

  constructor(shape: NetworkSize, next: () => number) {
    const { features, size, hidden, outputs } = shape;
    this.shape = shape;
    this.vectors = random(features * size, 0.01, next).values;
    this.#vectorSquares = new Float32Array(features).fill(1e-4);
    this.units = random(hidden * size, Math.sqrt(3 / size), next);
    this.unitBias = new Float32Array(hidden);
    this.labels = random(outputs * hidden, Math.sqrt(3 / hidden), next);
    this.labelBias = new Float32Array(outputs).fill(-2);
    this.scores = new Float32Array(outputs);
    this.#sum = new Float32Array(size);
    this.#excited = new Float32Array(hidden);
    this.#sumGradient = new Float32Array(size);
    this.#unitGradient = new Float32Array(hidden);
  }

  /** Returns all learned values, without the sums of squared gradients. */
  parts(): Float32Array[] {
    return [this.vectors, this.units.values, this.unitBias, this.labels.values, this.labelBias];
  }

  /** Computes the scores of the first `count` features. */
  read(features: ArrayLike<number>, count = features.length): Float32Array {
    const { size, hidden, outputs } = this.shape;
    const sum = this.#sum.fill(0);
    for (let index = 0; index < count; index += 1) {
      const from = features[index]! * size;
      for (let at = 0; at < size; at += 1) sum[at]! += this.vectors[from + at]!;
    }
    this.#root = 1 / Math.sqrt(count + EVIDENCE);
    for (let at = 0; at < size; at += 1) sum[at]! *= this.#root;
    for (let unit = 0; unit < hidden; unit += 1) {
      let value = this.unitBias[unit]!;
      for (let at = 0; at < size; at += 1) value += this.units.values[unit * size + at]! * sum[at]!;
      this.#excited[unit] = value > 0 ? value : value * LEAK;
    }
    for (let output = 0; output < outputs; output += 1) {
      let value = this.labelBias[output]!;
      for (let unit = 0; unit < hidden; unit += 1)
        value += this.labels.values[output * hidden + unit]! * this.#excited[unit]!;
      this.scores[output] = value;
    }
    return this.scores;
  }

  /**
   * Learns from the features that were read last.
   * @param errors the wanted change of each output's score; 0 for none
   */
  learn(features: ArrayLike<number>, count: number, errors: Float32Array, rate: number): void {
    const { size, hidden, outputs } = this.shape;
    const unitGradient = this.#unitGradient.fill(0);
    const sumGradient = this.#sumGradient.fill(0);
    for (let output = 0; output < outputs; output += 1) {
      const error = errors[output]!;
      if (Math.abs(error) < 1e-4) continue;
      for (let unit = 0; unit < hidden; unit += 1) {
        const at = output * hidden + unit;
        unitGradient[unit]! += error * this.labels.values[at]!;
        this.#step(this.labels, at, error * this.#excited[unit]!, rate);
      }
      this.labelBias[output]! -= 0.02 * error;
    }
    for (let unit = 0; unit < hidden; unit += 1) {
      const gradient = unitGradient[unit]! * (this.#excited[unit]! > 0 ? 1 : LEAK);
      if (gradient === 0) continue;
      for (let index = 0; index < size; index += 1) {
        const at = unit * size + index;
        sumGradient[index]! += gradient * this.units.values[at]!;
        this.#step(this.units, at, gradient * this.#sum[index]!, rate);
      }
      this.unitBias[unit]! -= 0.02 * gradient;
    }
    let square = 0;
    for (let at = 0; at < size; at += 1) {
      sumGradient[at]! *= this.#root;
      square += sumGradient[at]! ** 2;
    }
    square /= size;
    for (let index = 0; index < count; index += 1) {
      const feature = features[index]!;
      this.#vectorSquares[feature]! += square;
      const step = rate / Math.sqrt(this.#vectorSquares[feature]!);
      for (let at = 0; at < size; at += 1) this.vectors[feature * size + at]! -= step * sumGradient[at]!;
    }
  }

  #step(weights: Weights, at: number, gradient: number, rate: number): void {
    weights.squares[at]! += gradient * gradient;
    weights.values[at]! -= (rate * gradient) / Math.sqrt(weights.squares[at]!);
  }
}
