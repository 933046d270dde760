import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { computeFingerprint, isTest, readTexts } from '../../scripts/safety/data.ts';
import { type Figures, measureAll, formatTable } from '../../scripts/safety/measuring.ts';
import { LANGUAGES } from '../../src/config/languages.ts';
import { readAges } from '../../src/features/safety/ages.ts';
import { Classifier } from '../../src/features/safety/classifier.ts';
import { findCrisis, isEncouraging, isSexualWithMinor } from '../../src/features/safety/decisions.ts';
import { splitSentences } from '../../src/features/safety/sentences.ts';
import { classifier } from '../../src/features/safety/weights.ts';

const texts = readTexts();
const training = texts.filter((text) => !isTest(text));

describe('The data of the classifier', () => {
  /** In each language at least so many texts to learn from. */
  const LEAST = {
    suicide: 200,
    self_harm: 120,
    threat: 180,
    encouragement: 130,
    sexual: 130,
    minor: 140,
    none: 1800,
  };

  test.each(LANGUAGES)('has enough texts of each kind in %s', (language) => {
    const own = training.filter((text) => text.language === language);
    for (const [label, least] of Object.entries(LEAST))
      expect([label, own.filter(({ labels }) => (labels[0] ?? 'none') === label).length]).toEqual([
        label,
        expect.toSatisfy((count: number) => count >= least),
      ]);
  });

  test('has no text to measure by that is learned from, and no text twice in a language', () => {
    const keys = texts.map(({ language, text }) => `${language} ${text}`);
    expect(keys.length - new Set(keys).size).toBe(0);
  });

  test('has no text that is sexual and about somebody under 18', () => {
    const sexual = texts.filter(({ labels }) => labels.includes('sexual'));
    expect(sexual.filter(({ labels }) => labels.includes('minor'))).toEqual([]);
    // `readAges` takes fifteen years of marriage for an age.
    const aged = sexual.filter(
      ({ text }) => readAges(text).includes('present') && !text.includes('quince años de casados'),
    );
    expect(aged.map(({ text }) => text)).toEqual([]);
  });
});

describe('The weights', () => {
  test('were learned from the data that is here, by the code that is here', () => {
    // If this fails: npm run safety:train && npm run safety:measure.
    expect(classifier.fingerprint).toBe(computeFingerprint(training));
  });

  test('are one file of at most 400 kB', () => {
    expect(statSync('data/safety/weights.bin').size).toBeLessThanOrEqual(400_000);
  });

  test('are refused where they are cut short', () => {
    expect(() => new Classifier(new ArrayBuffer(64))).toThrow('damaged');
  });
});

describe('The plainest texts', () => {
  const plain = training.filter(
    ({ batch, text }) => (batch === 'core' || batch === 'known') && splitSentences(text).length === 1,
  );

  test('are known by heart, also when they are spelt another way', () => {
    const known = plain.filter(({ text }) => classifier.read(text).known !== undefined);
    // A few mean one thing in one language and another in the next.
    expect(known.length).toBeGreaterThan(0.98 * plain.length);
    const wrong = known.filter(
      ({ text }) => classifier.read(text.toUpperCase()).known !== classifier.read(text).known,
    );
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  test('are refused or answered with helplines by what they say', () => {
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

describe('On texts that no training saw', () => {
  const figures = measureAll(texts);
  const share = (name: keyof Figures, of: Figures = figures.all): number =>
    of[name].found / Math.max(1, of[name].of);

  test('the figures are printed for each language', () => {
    process.stdout.write(`${formatTable(figures)}\n`);
    expect(Object.keys(figures.languages)).toEqual([...LANGUAGES]);
  });

  /** What was measured with these weights, less a little: a figure that falls below is a fault. */
  const FLOORS = { suicide: 0.84, self_harm: 0.83, threat: 0.81, encouragement: 0.57 } as const;
  test.each(Object.entries(FLOORS))('%s is found as often as before', (name, floor) =>
    expect(share(name as keyof Figures)).toBeGreaterThanOrEqual(floor),
  );

  /** The same on texts that nothing was chosen on. */
  const FLOORS_ASIDE = { suicide: 0.87, self_harm: 0.89, threat: 0.79, encouragement: 0.58 } as const;
  test.each(Object.entries(FLOORS_ASIDE))('%s is found as often in texts kept aside', (name, floor) =>
    expect(share(name as keyof Figures, figures.keptAside)).toBeGreaterThanOrEqual(floor),
  );

  const CEILINGS = { ordinaryAlarms: 0.005, nearAlarms: 0.03, refused: 0.0018, cut: 0.0051 } as const;
  test.each(Object.entries(CEILINGS))('%s stay as rare as before', (name, ceiling) =>
    expect(share(name as keyof Figures)).toBeLessThanOrEqual(ceiling),
  );

  const CEILINGS_ASIDE = { ordinaryAlarms: 0.005, nearAlarms: 0.04, refused: 0.003, cut: 0.0065 } as const;
  test.each(Object.entries(CEILINGS_ASIDE))('%s stay as rare in texts kept aside', (name, ceiling) =>
    expect(share(name as keyof Figures, figures.keptAside)).toBeLessThanOrEqual(ceiling),
  );
});
