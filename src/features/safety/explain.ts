import { noScores, raise, type Scores } from './classifier.ts';
import { LABELS, type Label } from './labels.ts';
import { FeatureReader } from './text-features.ts';
import { classifier } from './weights.ts';

/** A piece of a text and what it adds to the score of a label, in log-odds. */
export interface WeighedFeature {
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
  /** What weighed most for it, and against it. */
  features: WeighedFeature[];
}

/** How many features an explanation names. */
const FEATURES_NAMED = 12;

export const probabilityOf = (score: number): number => 1 / (1 + Math.exp(-score));

/** Each label's probability, from 0 to 1, to four places. */
export function probabilities(scores: Scores): Record<Label, number> {
  const rounded = (label: Label) => Math.round(probabilityOf(scores[label]) * 10_000) / 10_000;
  return Object.fromEntries(LABELS.map((label) => [label, rounded(label)])) as Record<Label, number>;
}

/** The features of a sentence that weigh most in a label's score. */
function weighFeatures(sentence: string, label: Label): WeighedFeature[] {
  const hashes: { feature: string; hash: number }[] = [];
  const reader: FeatureReader = new FeatureReader((hash, from, to) => {
    const [last, lastButOne] = reader.before;
    const before = from === -1 ? `${last} ` : from === -2 ? `${lastButOne} ${last} ` : '';
    const feature = `${before}${reader.word.slice(Math.max(0, from), to)}`;
    hashes.push({ feature, hash });
  });
  reader.push(sentence);
  reader.end();
  const weighed = classifier.weigh(
    hashes.map(({ hash }) => hash),
    label,
  );
  const weights = new Map<string, number>();
  for (const [index, { feature }] of hashes.entries())
    weights.set(feature, (weights.get(feature) ?? 0) + (weighed[index] as number));
  return [...weights]
    .map(([feature, weight]) => ({ feature, weight: Math.round(weight * 1000) / 1000 }))
    .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, FEATURES_NAMED);
}

/** Explains one label of a text: the sentence that shows it most, and what in it weighed most. */
export function explainLabel(text: string, label: Label): Explanation {
  const sentences = classifier.sentences(text);
  const strongest = sentences.reduce<(typeof sentences)[number] | null>(
    (most, one) => (most === null || one.scores[label] > most.scores[label] ? one : most),
    null,
  );
  if (strongest === null) return { label, probability: 0, sentence: '', features: [] };
  const sentence = strongest.sentence.trim();
  const probability = Math.round(probabilityOf(strongest.scores[label]) * 10_000) / 10_000;
  return { label, probability, sentence, features: weighFeatures(sentence, label) };
}

/** All probabilities of a text, and an explanation of each label that it shows at least this likely. */
export function explain(
  text: string,
  from = 0.2,
): { probabilities: Record<Label, number>; explanations: Explanation[] } {
  const scores = noScores();
  for (const one of classifier.sentences(text)) raise(scores, one.scores);
  const all = probabilities(scores);
  const shown = LABELS.filter((label) => all[label] >= from);
  return { probabilities: all, explanations: shown.map((label) => explainLabel(text, label)) };
}

/** Words that weigh so much less than the strongest one are not what it is about. */
const WORTH_NAMING = 0.5;

/** The words that weigh most in a sentence, the strongest first. */
export function strongestWords(sentence: string, label: Label, most: number): string[] {
  const found: { word: string; hash: number }[] = [];
  const reader: FeatureReader = new FeatureReader(
    (hash) => void found.push({ word: reader.word.replace(/[<>]/g, ''), hash }),
  );
  reader.push(sentence);
  reader.end();
  const weighed = classifier.weigh(
    found.map(({ hash }) => hash),
    label,
  );
  const words = new Map<string, number>();
  for (const [index, { word }] of found.entries())
    words.set(word, (words.get(word) ?? 0) + (weighed[index] as number));
  const strongest = Math.max(0, ...words.values());
  return [...words]
    .filter(([, weight]) => weight > 0 && weight >= strongest * WORTH_NAMING)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([word]) => word);
}
