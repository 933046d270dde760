/* oxlint-disable typescript/no-non-null-assertion -- loops over typed arrays whose lengths are known */
import { EVIDENCE, FORMAT } from '../../src/features/safety/classifier.ts';
import type { Network } from './network.ts';

/** The first rounds quantize each vector on its own, the later ones together with the other vectors of its texts. */
const ROUNDS_ALONE = 10;
const ROUNDS_TOGETHER = 6;

/**
 * Quantizes vectors: each part of a vector is replaced by one of 256 centroids (product quantization). The rounding errors
 * of features in the same text are made to cancel out, so that sums of whole texts stay closer to their original values
 * than with k-means alone.
 */
export class Quantizer {
  /** The index of the centroid for each part of each feature's vector. */
  readonly codes: Uint8Array;
  readonly centroids: Float32Array;
  readonly #vectors: Float32Array;
  readonly #size: number;
  readonly #part: number;
  readonly #windows: readonly Uint32Array[];
  readonly #weights: Float32Array;
  /** The error of each window's sum. */
  readonly #errors: Float32Array;
  /** The windows of feature 0, of feature 1, and so on, and the index at which each feature's windows begin. */
  readonly #where: Uint32Array;
  readonly #starts: Uint32Array;

  /** @param windows the features of sentences */
  constructor(
    { vectors, shape: { features, size } }: Network,
    windows: readonly Uint32Array[],
    next: () => number,
  ) {
    this.#vectors = vectors;
    this.#size = size;
    this.#part = size / FORMAT.parts;
    this.codes = new Uint8Array(features * FORMAT.parts);
    this.centroids = new Float32Array(FORMAT.parts * FORMAT.centroids * this.#part);
    this.#windows = windows;
    this.#weights = Float32Array.from(windows, ({ length }) => 1 / (length + EVIDENCE));
    this.#errors = new Float32Array(windows.length * size);
    this.#starts = new Uint32Array(features + 1);
    for (const window of windows) for (const feature of window) this.#starts[feature + 1]! += 1;
    for (let feature = 0; feature < features; feature += 1)
      this.#starts[feature + 1]! += this.#starts[feature]!;
    const ends = this.#starts.slice(0, features);
    this.#where = new Uint32Array(this.#starts[features]!);
    for (const [index, window] of windows.entries())
      for (const feature of window) this.#where[ends[feature]!++] = index;

    for (let part = 0; part < FORMAT.parts; part += 1)
      for (let centroid = 0; centroid < FORMAT.centroids; centroid += 1) {
        const from = Math.floor(next() * features) * size + part * this.#part;
        this.centroids.set(vectors.subarray(from, from + this.#part), this.#centroidAt(part, centroid));
      }
    for (let round = 0; round < ROUNDS_ALONE + ROUNDS_TOGETHER; round += 1) {
      const isTogether = round >= ROUNDS_ALONE;
      if (isTogether) this.#sumErrors();
      for (let part = 0; part < FORMAT.parts; part += 1) this.#round(part, isTogether);
    }
  }

  #centroidAt(part: number, centroid: number): number {
    return (part * FORMAT.centroids + centroid) * this.#part;
  }

  #sumErrors(): void {
    const errors = this.#errors.fill(0);
    for (const [index, window] of this.#windows.entries())
      for (const feature of window)
        for (let at = 0; at < this.#size; at += 1) {
          const part = Math.floor(at / this.#part);
          const from = this.#centroidAt(part, this.codes[feature * FORMAT.parts + part]!);
          errors[index * this.#size + at]! +=
            this.#vectors[feature * this.#size + at]! - this.centroids[from + (at % this.#part)]!;
        }
  }

  /** Chooses a centroid for one part of each vector, then moves each centroid to the mean of its vectors. */
  #round(part: number, isTogether: boolean): void {
    const length = this.#part;
    const sums = new Float64Array(FORMAT.centroids * length);
    const totals = new Float64Array(FORMAT.centroids);
    const goal = new Float64Array(length);
    for (let feature = 0; feature < this.#starts.length - 1; feature += 1) {
      const total = this.#findGoal(feature, part, isTogether, goal);
      const code = this.#nearest(part, goal);
      totals[code]! += total;
      for (let at = 0; at < length; at += 1) sums[code * length + at]! += total * goal[at]!;
      this.#choose(feature, part, code, isTogether);
    }
    for (let centroid = 0; centroid < FORMAT.centroids; centroid += 1)
      for (let at = 0; totals[centroid]! > 0 && at < length; at += 1)
        this.centroids[this.#centroidAt(part, centroid) + at] =
          sums[centroid * length + at]! / totals[centroid]!;
  }

  /**
   * Finds the goal of a feature: its own vector, or the mean of that and the value that would correct its texts' errors.
   * @returns the weight of the feature
   */
  #findGoal(feature: number, part: number, isTogether: boolean, goal: Float64Array): number {
    const own = feature * this.#size + part * this.#part;
    const from = this.#centroidAt(part, this.codes[feature * FORMAT.parts + part]!);
    let total = 0;
    goal.fill(0);
    for (let index = this.#starts[feature]!; index < this.#starts[feature + 1]!; index += 1) {
      const window = this.#where[index]!;
      const weight = this.#weights[window]!;
      total += weight;
      if (!isTogether) continue;
      const lacks = window * this.#size + part * this.#part;
      for (let at = 0; at < this.#part; at += 1) goal[at]! += weight * this.#errors[lacks + at]!;
    }
    for (let at = 0; at < this.#part; at += 1) {
      const vector = this.#vectors[own + at]!;
      goal[at] =
        isTogether && total > 0 ? (vector + this.centroids[from + at]! + goal[at]! / total) / 2 : vector;
    }
    // The square root lets frequent features count more without leaving rare ones without a centroid.
    return Math.sqrt(this.#starts[feature + 1]! - this.#starts[feature]!);
  }

  #nearest(part: number, goal: Float64Array): number {
    let least = Number.POSITIVE_INFINITY;
    let nearest = 0;
    for (let centroid = 0, from = this.#centroidAt(part, 0); centroid < FORMAT.centroids; centroid += 1) {
      let distance = 0;
      for (let at = 0; at < this.#part; at += 1, from += 1)
        distance += (this.centroids[from]! - goal[at]!) ** 2;
      if (distance >= least) continue;
      least = distance;
      nearest = centroid;
    }
    return nearest;
  }

  #choose(feature: number, part: number, code: number, isTogether: boolean): void {
    const place = feature * FORMAT.parts + part;
    const [before, after] = [this.#centroidAt(part, this.codes[place]!), this.#centroidAt(part, code)];
    this.codes[place] = code;
    if (!isTogether || before === after) return;
    for (let index = this.#starts[feature]!; index < this.#starts[feature + 1]!; index += 1) {
      const from = this.#where[index]! * this.#size + part * this.#part;
      for (let at = 0; at < this.#part; at += 1)
        this.#errors[from + at]! += this.centroids[before + at]! - this.centroids[after + at]!;
    }
  }
}
