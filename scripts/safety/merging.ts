/* oxlint-disable typescript/no-non-null-assertion -- loops over typed arrays whose lengths are known */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { FORMAT } from '../../src/features/safety/classifier.ts';
import { LABELS } from '../../src/features/safety/labels.ts';
import { ALARMING, Network } from './network.ts';

/**
 * Merges independently trained networks into one, which has the hidden units of all and returns their mean scores. The
 * score of a label is the mean of two outputs, one for the label and one for any alarming text: a text that resembles a
 * label by chance seldom looks alarming as well.
 *
 * The joined vectors of a feature are long but differ in few directions, because the networks have learned much the same,
 * so principal component analysis shortens them. Each unit is weighted by its influence on the labels.
 * @param counts the number of texts with each feature
 * @param size the length of a vector of the new network
 */
export function mergeNetworks(
  networks: readonly Network[],
  counts: readonly number[],
  size: number,
): Network {
  const { features, size: ownSize, hidden } = networks[0]!.shape;
  const joinedSize = networks.length * ownSize;
  const units = networks.length * hidden;
  /** Returns a value for a label's score. @param read returns the value of one output */
  const scoreLabel = (label: number, read: (output: number) => number): number =>
    LABELS[label] === 'minor' ? read(label) : (read(label) + read(ALARMING)) / 2;
  const weigh = ({ labels: { values } }: Network, label: number, unit: number): number =>
    scoreLabel(label, (output) => values[output * hidden + unit]!);
  /** The influence of each unit on the labels. */
  const influence = networks.flatMap((network) =>
    Array.from({ length: hidden }, (_, unit) =>
      Math.hypot(1e-6, ...LABELS.map((__, label) => weigh(network, label, unit))),
    ),
  );
  const joined = new Float64Array(joinedSize);
  const joinVectors = (feature: number): Float64Array => {
    for (const [index, { vectors }] of networks.entries())
      joined.set(vectors.subarray(feature * ownSize, (feature + 1) * ownSize), index * ownSize);
    return joined;
  };

  const covariance = Matrix.zeros(joinedSize, joinedSize);
  for (let feature = 0; feature < features; feature += 1) {
    const vector = joinVectors(feature);
    const weight = Math.sqrt(counts[feature]!);
    for (let row = 0; row < joinedSize; row += 1)
      for (let column = 0; column < joinedSize; column += 1)
        covariance.set(row, column, covariance.get(row, column) + weight * vector[row]! * vector[column]!);
  }
  /** The matrix from joined vectors to units. */
  const layer = Matrix.zeros(units, joinedSize);
  for (const [index, network] of networks.entries())
    for (let unit = 0; unit < hidden; unit += 1)
      for (let at = 0; at < ownSize; at += 1) {
        const row = index * hidden + unit;
        layer.set(row, index * ownSize + at, influence[row]! * network.units.values[unit * ownSize + at]!);
      }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(
    layer.mmul(covariance).mmul(layer.transpose()),
    { assumeSymmetric: true },
  );
  const directions = spread(
    realEigenvalues
      .map((_, index) => index)
      .toSorted((one, other) => realEigenvalues[other]! - realEigenvalues[one]!),
    size,
  );

  const merged = new Network({ features, size, hidden: units, outputs: LABELS.length }, () => 0.5);
  const projection = directions.map((direction) =>
    layer
      .transpose()
      .mmul(Matrix.columnVector(eigenvectorMatrix.getColumn(direction)))
      .to1DArray(),
  );
  for (let feature = 0; feature < features; feature += 1) {
    const vector = joinVectors(feature);
    for (const [at, row] of projection.entries())
      merged.vectors[feature * size + at] = row.reduce(
        (sum, value, index) => sum + value * vector[index]!,
        0,
      );
  }
  for (const [at, direction] of directions.entries())
    for (let unit = 0; unit < units; unit += 1)
      merged.units.values[unit * size + at] = eigenvectorMatrix.get(unit, direction) / influence[unit]!;
  merged.labelBias.fill(0);
  for (const [index, network] of networks.entries()) {
    merged.unitBias.set(network.unitBias, index * hidden);
    for (let label = 0; label < LABELS.length; label += 1) {
      for (let unit = 0; unit < hidden; unit += 1)
        merged.labels.values[label * units + index * hidden + unit] =
          weigh(network, label, unit) / networks.length;
      const bias = scoreLabel(label, (output) => network.labelBias[output]!);
      merged.labelBias[label]! += bias / networks.length;
    }
  }
  return merged;
}

/** Distributes the leading directions evenly over the parts of a vector: 0, 3, 4, 7 and 1, 2, 5, 6. */
function spread(directions: readonly number[], size: number): number[] {
  const { parts } = FORMAT;
  const dealt = Array.from({ length: parts }, (): number[] => []);
  for (let at = 0; at < size; at += 1) {
    const turn = at % parts;
    dealt[Math.floor(at / parts) % 2 === 0 ? turn : parts - 1 - turn]!.push(directions[at]!);
  }
  return dealt.flat();
}
