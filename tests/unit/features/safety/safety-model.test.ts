import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { computeFingerprint, isTest, readTexts } from '../../../../scripts/safety/data.ts';
import { type Figures, measureAll, formatTable } from '../../../../scripts/safety/measuring.ts';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { readAges } from '../../../../src/features/safety/ages.ts';
import { Classifier } from '../../../../src/features/safety/classifier.ts';
import { findCrisis, isEncouraging, isSexualWithMinor } from '../../../../src/features/safety/decisions.ts';
import { splitSentences } from '../../../../src/features/safety/sentences.ts';
import { classifier } from '../../../../src/features/safety/weights.ts';

const texts = readTexts();
const training = texts.filter((text) => !isTest(text));

describe('Classifier data', () => {
  /** The least number of training texts for each label in each language. */
  const MINIMUM_COUNTS = {
    suicide: 200,
    self_harm: 120,
    threat: 180,
    encouragement: 130,
    sexual: 130,
    minor: 140,
    none: 1800,
  };

  test.each(LANGUAGES)('the training data has enough texts of each label in %s', (language) => {
    const own = training.filter((text) => text.language === language);
    for (const [label, least] of Object.entries(MINIMUM_COUNTS))
      expect([label, own.filter(({ labels }) => (labels[0] ?? 'none') === label).length]).toEqual([
        label,
        expect.toSatisfy((count: number) => count >= least),
      ]);
  });

  test('no text occurs twice in a language, so that no test text is trained on', () => {
    const keys = texts.map(({ language, text }) => `${language} ${text}`);
    expect(keys.length - new Set(keys).size).toBe(0);
  });

  test('no text in the data is sexual and about a person under 18', () => {
    const sexual = texts.filter(({ labels }) => labels.includes('sexual'));
    expect(sexual.filter(({ labels }) => labels.includes('minor'))).toEqual([]);
    const aged = sexual.filter(({ text }) => readAges(text).includes('present'));
    expect(aged.map(({ text }) => text)).toEqual([]);
  });
});

describe('Classifier weights', () => {
  test('the weights were trained from the current data by the current code', () => {
    // If this fails: npm run safety:train && npm run safety:measure.
    expect(classifier.fingerprint).toBe(computeFingerprint(training));
  });

  test('the weights are one file of at most 400 kB', () => {
    expect(statSync('data/safety/weights.bin').size).toBeLessThanOrEqual(400_000);
  });

  test('truncated weights are refused as damaged', () => {
    expect(() => new Classifier(new ArrayBuffer(64))).toThrow('damaged');
  });
});

describe('Plainest texts', () => {
  const plain = training.filter(
    ({ batch, text }) => (batch === 'core' || batch === 'known') && splitSentences(text).length === 1,
  );

  test('at least 98 % of the plainest texts are memorized, in upper case as well', () => {
    const known = plain.filter(({ text }) => classifier.read(text).known !== undefined);
    // A few texts mean different things in two languages.
    expect(known.length).toBeGreaterThan(0.98 * plain.length);
    const wrong = known.filter(
      ({ text }) => classifier.read(text.toUpperCase()).known !== classifier.read(text).known,
    );
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  test('the plainest texts are refused or answered with helplines by their label', () => {
    const known = plain.filter(({ text }) => classifier.read(text).known !== undefined);
    const wrong = known.filter(({ text, labels: [label] }) => {
      if (label === 'suicide' || label === 'self_harm') return findCrisis(text) === null;
      if (label === 'threat') return findCrisis(text) !== 'harm_to_others';
      if (label === 'encouragement') return !isEncouraging(text, false);
      if (label === 'sexual') return !isSexualWithMinor(`She is 14. ${text}`);
      return label === undefined && (findCrisis(text) !== null || isEncouraging(text, false));
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });
});

describe('Classifier figures on test texts', () => {
  const figures = measureAll(texts);
  const share = (name: keyof Figures, of: Figures = figures.all): number =>
    of[name].found / Math.max(1, of[name].of);

  test("the classifier's figures are printed for each language", () => {
    process.stdout.write(`${formatTable(figures)}\n`);
    expect(Object.keys(figures.languages)).toEqual([...LANGUAGES]);
  });

  /** Slightly below what was measured with these weights; a lower figure is a regression. */
  const FLOORS = { suicide: 0.84, self_harm: 0.83, threat: 0.8, encouragement: 0.57 } as const;
  test.each(Object.entries(FLOORS))('the recall of %s on test texts has not dropped', (name, floor) =>
    expect(share(name as keyof Figures)).toBeGreaterThanOrEqual(floor),
  );

  /** The same for texts that no threshold was chosen on. */
  const HELD_OUT_FLOORS = { suicide: 0.87, self_harm: 0.89, threat: 0.79, encouragement: 0.58 } as const;
  test.each(Object.entries(HELD_OUT_FLOORS))(
    'the recall of %s on held-out texts has not dropped',
    (name, floor) => expect(share(name as keyof Figures, figures.keptAside)).toBeGreaterThanOrEqual(floor),
  );

  const CEILINGS = { ordinaryAlarms: 0.005, nearAlarms: 0.03, refused: 0.0005, cut: 0.0051 } as const;
  test.each(Object.entries(CEILINGS))('the rate of %s on test texts has not risen', (name, ceiling) =>
    expect(share(name as keyof Figures)).toBeLessThanOrEqual(ceiling),
  );

  const HELD_OUT_CEILINGS = {
    ordinaryAlarms: 0.005,
    nearAlarms: 0.04,
    refused: 0.0005,
    cut: 0.0065,
  } as const;
  test.each(Object.entries(HELD_OUT_CEILINGS))(
    'the rate of %s on held-out texts has not risen',
    (name, ceiling) => expect(share(name as keyof Figures, figures.keptAside)).toBeLessThanOrEqual(ceiling),
  );
});
