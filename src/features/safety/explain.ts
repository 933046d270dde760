import { stripAdditions } from './additions.ts';
import { hasChild, hasSexualAct, readAges, stripChildren } from './ages.ts';
import type { Scores } from './classifier.ts';
import { MIN_SEXUAL_NEAR_MINOR, THRESHOLDS, weighSexual } from './decisions.ts';
import { LABELS, type Label } from './labels.ts';
import { FeatureReader } from './text-features.ts';
import { classifier } from './weights.ts';

/** A feature of a text and its contribution to a label's score, in log-odds. */
export interface WeightedFeature {
  /** A word, a pair of words or some letters; `<` and `>` mark the ends of a word. */
  feature: string;
  weight: number;
}

/** Explains the score of a label. */
export interface Explanation {
  label: Label;
  /** From 0 to 1. */
  probability: number;
  /** The sentence with the highest score. */
  sentence: string;
  /**
   * The features with the largest weight for and against; empty if the sentence is memorised, states an age or names a
   * sexual act.
   */
  features: WeightedFeature[];
}

/** Features per explanation. */
const MAX_FEATURES = 12;

/** Converts a score to a probability, rounded to four places. */
const toProbability = (score: number): number => Math.round(10_000 / (1 + Math.exp(-score))) / 10_000;

/** The probability of each label, from 0 to 1. */
export const computeProbabilities = (scores: Scores): Record<Label, number> =>
  Object.fromEntries(LABELS.map((label) => [label, toProbability(scores[label])])) as Record<Label, number>;

/**
 * The contribution of a sentence's features to a label's score, summed by name.
 * @param name names the feature just read; `from` and `to` as in `FeatureSink`
 */
function weighSentence(
  sentence: string,
  label: Label,
  name: (reader: FeatureReader, from: number, to: number) => string,
): Map<string, number> {
  const names = new Map<number, string>();
  const reader: FeatureReader = new FeatureReader((hash, from, to) => {
    if (!names.has(hash)) names.set(hash, name(reader, from, to));
  });
  reader.push(sentence);
  reader.end();
  const weighed = classifier.weigh([...names.keys()], label);
  const weights = new Map<string, number>();
  for (const [index, one] of [...names.values()].entries())
    weights.set(one, (weights.get(one) ?? 0) + (weighed[index] as number));
  return weights;
}

/** A feature as readable text: letters, a word, or two words. */
function formatFeature({ word, before }: FeatureReader, from: number, to: number): string {
  return from === -1 ? `${before} ${word}` : word.slice(from, to);
}

/** The features with the largest weight in a label's score. */
const weighFeatures = (sentence: string, label: Label): WeightedFeature[] =>
  [...weighSentence(sentence, label, formatFeature)]
    .map(([feature, weight]) => ({ feature, weight: Math.round(weight * 1000) / 1000 }))
    .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, MAX_FEATURES);

/** Explains one label: the highest-scoring sentence and its features. */
export function explainLabel(text: string, label: Label): Explanation {
  const read = classifier.sentences(text);
  // For a crisis, a sentence is also read without what people add to it; next to a minor, without children and ages.
  const bare = read.flatMap(({ sentence }) =>
    label in THRESHOLDS.crisis
      ? stripAdditions(sentence).map(({ text: own }) => own)
      : label === 'sexual' && (hasChild(sentence) || readAges(sentence).length > 0)
        ? stripChildren(sentence).slice(0, 1)
        : [],
  );
  const sentences = [
    ...read,
    ...bare.map((sentence) => ({ sentence, scores: classifier.classify(sentence) })),
  ];
  const score = ({ sentence, scores }: (typeof sentences)[number]): number =>
    label === 'sexual' ? weighSexual(sentence, scores) : scores[label];
  const aged = label === 'minor' && sentences.find(({ sentence }) => readAges(sentence).includes('present'));
  if (aged) return { label, probability: 1, sentence: aged.sentence.trim(), features: [] };
  const strongest = sentences.reduce<(typeof sentences)[number] | null>(
    (most, one) => (most === null || score(one) > score(most) ? one : most),
    null,
  );
  if (strongest === null) return { label, probability: 0, sentence: '', features: [] };
  // The words of an act count next to a minor at any score.
  const act =
    label === 'sexual' &&
    score(strongest) < THRESHOLDS.sexualInStory &&
    read.find((one) => one.scores.sexual > THRESHOLDS.sexualForAct && hasSexualAct(one.sentence));
  if (act) return { label, probability: 1, sentence: act.sentence.trim(), features: [] };
  const sentence = strongest.sentence.trim();
  const probability = toProbability(score(strongest));
  const isKnown = classifier.read(sentence).known !== undefined;
  return { label, probability, sentence, features: isKnown ? [] : weighFeatures(sentence, label) };
}

/** The lowest score at which each label can have an effect. */
const MIN_SCORES: Readonly<Record<Label, number>> = {
  ...THRESHOLDS.crisis,
  encouragement: THRESHOLDS.encouragementInCrisis,
  sexual: MIN_SEXUAL_NEAR_MINOR,
  minor: THRESHOLDS.minor,
};

/** All probabilities, and explanations of the labels that can have an effect, most likely first. */
export function explain(text: string): { probabilities: Record<Label, number>; explanations: Explanation[] } {
  const explanations = LABELS.map((label) => explainLabel(text, label));
  return {
    probabilities: computeProbabilities(classifier.classify(text)),
    explanations: explanations
      .filter(({ label, probability }) => probability >= toProbability(MIN_SCORES[label]))
      .toSorted((one, other) => other.probability - one.probability),
  };
}

/** Words below this share of the strongest weight are left out. */
const MIN_RELATIVE_WEIGHT = 0.5;

/** The words with the largest weight in a sentence, strongest first. */
export function findStrongestWords(sentence: string, label: Label, most: number): string[] {
  const words = weighSentence(sentence, label, ({ word }) => word.replace(/[<>]/g, ''));
  const strongest = Math.max(0, ...words.values());
  return [...words]
    .filter(([, weight]) => weight > 0 && weight >= strongest * MIN_RELATIVE_WEIGHT)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([word]) => word);
}
