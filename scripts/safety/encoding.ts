/* oxlint-disable typescript/no-non-null-assertion -- loops over typed arrays whose lengths are known */
import { getFirstBucket, FORMAT, getMark, getSecondBucket } from '../../src/features/safety/classifier.ts';
import { LABELS } from '../../src/features/safety/labels.ts';
import { randomNumbers } from './network.ts';
import type { Model } from './training.ts';

/** The number of buckets of four entries that fits into 400 kB. */
const BUCKETS = 30_500;
/** Cuckoo hashing cannot fill a table beyond this load. */
export const MOST_FEATURES = Math.floor(BUCKETS * FORMAT.slots * 0.96);

/** Places each feature in one of its two buckets (cuckoo hashing). @returns the feature of each entry; -1 for none */
function fillTable(hashes: Uint32Array): Int32Array {
  const next = randomNumbers(2);
  const slots = new Int32Array(BUCKETS * FORMAT.slots).fill(-1);
  for (let feature = 0; feature < hashes.length; feature += 1) {
    let homeless = feature;
    for (let tries = 0; homeless !== -1; tries += 1) {
      const hash = hashes[homeless]!;
      const [one, other] = [getFirstBucket(hash, BUCKETS), getSecondBucket(hash, BUCKETS)];
      const free = [one, other]
        .flatMap((bucket) => [0, 1, 2, 3].map((slot) => bucket * FORMAT.slots + slot))
        .find((slot) => slots[slot] === -1);
      if (free !== undefined) {
        slots[free] = homeless;
        break;
      }
      // The least useful features come last, and a few of them are left out.
      if (tries === 500) break;
      const bucket = next() < 0.5 ? one : other;
      const slot = bucket * FORMAT.slots + Math.floor(next() * FORMAT.slots);
      [homeless, slots[slot]] = [slots[slot]!, homeless];
    }
  }
  return slots;
}

/** Encodes the file that `Classifier` reads. */
export function encodeWeights(model: Model, fingerprint: string): Uint8Array {
  const { network, hashes, codes, centroids, known } = model;
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
  const entries = fillTable(hashes);
  const codeAt = (feature: number) =>
    (codes[feature * FORMAT.parts]! << 8) | codes[feature * FORMAT.parts + 1]!;
  const entryCodes = Uint16Array.from(entries, (feature) => (feature === -1 ? 0 : codeAt(feature)));
  const marks = Uint8Array.from(entries, (feature) => (feature === -1 ? 0 : getMark(hashes[feature]!)));
  const sentences = [...known].toSorted(([one], [other]) => one - other);
  const knownHashes = Uint32Array.from(sentences, ([hash]) => hash);
  const knownLabels = Uint8Array.from(sentences, ([, label]) => label);
  const header = new DataView(new ArrayBuffer(FORMAT.headerBytes));
  for (const [index, value] of [FORMAT.magic, size, hidden, BUCKETS, known.size].entries())
    header.setUint32(4 * index, value, true);
  header.setBigUint64(20, BigInt(`0x${fingerprint}`), true);
  const parts = [header, floats, knownHashes, entryCodes, marks, knownLabels];
  return Buffer.concat(parts.map(({ buffer }) => Buffer.from(buffer)));
}
