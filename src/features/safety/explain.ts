import { readAges } from './ages.ts';
import type { Scores } from './classifier.ts';
import { THRESHOLDS } from './decisions.ts';
import { LABELS, type Label } from './labels.ts';
import { FeatureReader } from './text-features.ts';
import { classifier } from './weights.ts';

/** A piece of a text and what it adds to the score of a label, in log-odds. */
export interface WeightedFeature {
  /** A word, a pair of words or some letters; `<` and `>` are the ends of a word. */
  feature: string;
  weight: number;
}

/** Why a text has the score that it has for a label. */
export interface Explanation {
  label: Label;
  /** From 0 to 1. */
  probability: number;
  /** The sentence that shows it most. */
  sentence: string;
  /** What weighed most for it, and against it; nothing where the sentence is known by heart, or gives an age. */
  features: WeightedFeature[];
}

/** How many features an explanation names. */
const MAX_FEATURES = 12;

/** A score as a probability, to four places. */
const toProbability = (score: number): number => Math.round(10_000 / (1 + Math.exp(-score))) / 10_000;

/** Each label's probability, from 0 to 1. */
export const computeProbabilities = (scores: Scores): Record<Label, number> =>
  Object.fromEntries(LABELS.map((label) => [label, toProbability(scores[label])])) as Record<Label, number>;

/**
 * What the features of a sentence add to a label's score, added up by name.
 * @param name of the feature that the reader has just made, from and to as `FeatureSink` has them
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

/** A feature as people read it: the letters, the word, or the words. */
function formatFeature({ word, before }: FeatureReader, from: number, to: number): string {
  return from === -1 ? `${before} ${word}` : word.slice(from, to);
}

/** The features of a sentence that weigh most in a label's score. */
const weighFeatures = (sentence: string, label: Label): WeightedFeature[] =>
  [...weighSentence(sentence, label, formatFeature)]
    .map(([feature, weight]) => ({ feature, weight: Math.round(weight * 1000) / 1000 }))
    .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, MAX_FEATURES);

/** Explains one label of a text: the sentence that shows it most, and what in it weighed most. */
export function explainLabel(text: string, label: Label): Explanation {
  const sentences = classifier.sentences(text);
  const aged = label === 'minor' && sentences.find(({ sentence }) => readAges(sentence).includes('present'));
  if (aged) return { label, probability: 1, sentence: aged.sentence.trim(), features: [] };
  const strongest = sentences.reduce<(typeof sentences)[number] | null>(
    (most, one) => (most === null || one.scores[label] > most.scores[label] ? one : most),
    null,
  );
  if (strongest === null) return { label, probability: 0, sentence: '', features: [] };
  const sentence = strongest.sentence.trim();
  const probability = toProbability(strongest.scores[label]);
  const isKnown = classifier.read(sentence).known !== undefined;
  return { label, probability, sentence, features: isKnown ? [] : weighFeatures(sentence, label) };
}

/** From this score on a label may lead to something. */
const MIN_SCORES: Readonly<Record<Label, number>> = {
  ...THRESHOLDS.crisis,
  encouragement: THRESHOLDS.encouragementInCrisis,
  sexual: THRESHOLDS.sexualNearMinor,
  minor: THRESHOLDS.minor,
};

/** All probabilities of a text, and an explanation of each label that may lead to something, the likeliest first. */
export function explain(text: string): { probabilities: Record<Label, number>; explanations: Explanation[] } {
  const explanations = LABELS.map((label) => explainLabel(text, label));
  return {
    probabilities: computeProbabilities(classifier.classify(text)),
    explanations: explanations
      .filter(({ label, probability }) => probability >= toProbability(MIN_SCORES[label]))
      .toSorted((one, other) => other.probability - one.probability),
  };
}

/** Words that weigh so much less than the strongest one are not what it is about. */
const MIN_RELATIVE_WEIGHT = 0.5;

/** The words that weigh most in a sentence, the strongest first. */
export function findStrongestWords(sentence: string, label: Label, most: number): string[] {
  const words = weighSentence(sentence, label, ({ word }) => word.replace(/[<>]/g, ''));
  const strongest = Math.max(0, ...words.values());
  return [...words]
    .filter(([, weight]) => weight > 0 && weight >= strongest * MIN_RELATIVE_WEIGHT)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([word]) => word);
}
