import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isTest, readTexts } from '../../../../scripts/safety/data.ts';
import { isSexualWithKnownMinor } from '../../../../src/features/safety/decisions.ts';
import { explain, explainLabel } from '../../../../src/features/safety/explain.ts';

describe('Safety explanation', () => {
  test('an explanation names the sentence with the highest score and its words by weight', () => {
    const { explanations } = explain(
      'The weather is nice. I have been thinking of killing myself for weeks.',
    );
    const suicide = explanations.find(({ label }) => label === 'suicide');
    expect(suicide?.sentence).toBe('I have been thinking of killing myself for weeks.');
    const { features = [] } = suicide ?? {};
    expect(features.find(({ feature }) => feature === '<kiling> <myself>')?.weight).toBeGreaterThan(0);
    const sizes = features.map(({ weight }) => Math.abs(weight));
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  });

  test('an explanation names a crisis that is found without a laugh and a name', () => {
    const [first] = explain('I want to die lol, Anna').explanations;
    expect(first).toMatchObject({ label: 'suicide', sentence: 'I want to die' });
  });

  test('an explanation of an age under 18 reports an exact match', () => {
    expect(explainLabel('They met at school. She is 14 years old.', 'minor')).toEqual({
      label: 'minor',
      probability: 1,
      sentence: 'She is 14 years old.',
      features: [],
    });
  });

  test('every text that is refused in a conversation with a minor is explained as sexual', () => {
    const refused = readTexts()
      .filter((one) => isTest(one) && one.labels.includes('sexual') && isSexualWithKnownMinor(one.text))
      .map(({ text }) => text);
    expect(refused.length).toBeGreaterThan(400);
    const isExplained = (text: string) => explain(text).explanations.some(({ label }) => label === 'sexual');
    expect(refused.filter((text) => !isExplained(text))).toEqual([]);
  });

  test('an explanation names no label that the text does not show', () => {
    expect(explain('Breakfast is at nine.').explanations).toEqual([]);
    expect(explain('').explanations).toEqual([]);
  });
});

test('safety:classify answers each line and reports the lines that it cannot read', () => {
  const lines = [
    { text: 'I want to kill myself.' },
    { text: 'They have sex.', context: 'Mia is 14 years old.' },
    { text: 'Good morning!', place: 'reply' },
  ].map((line) => JSON.stringify(line));
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', './scripts/lib/binary-modules.mjs', 'scripts/safety/classify.ts'],
    { input: `${lines.join('\n')}\n{"texts": []}\n`, encoding: 'utf8' },
  );
  expect(status).toBe(1);
  const answers = stdout.trimEnd().split('\n');
  expect(answers.map((line) => JSON.parse(line) as unknown)).toEqual([
    { refused: null, crisis: 'suicide', labels: expect.any(Object) as object },
    { refused: 'minors', crisis: null, labels: expect.any(Object) as object },
    { refused: null, crisis: null, labels: expect.any(Object) as object },
    { error: expect.stringContaining('texts') as string, line: '{"texts": []}' },
  ]);
});
