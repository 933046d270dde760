import { describe, expect, test } from 'vitest';
import { APPEAL_LIMITS } from '../../src/features/safety/limits.ts';
import {
  NO_EVIDENCE,
  mergeEvidence,
  collectEvidence,
  type ContextPassage,
} from '../../src/features/safety/evidence.ts';

const ACT = 'They have sex.';
const AGE = 'Mia is 15 years old.';

const standing = (...texts: string[]): ContextPassage[] => texts.map((text) => ({ of: 'character', text }));
const textsBeside = (
  text: string,
  around: readonly ContextPassage[],
  told: readonly ContextPassage[] = [],
): string[] => collectEvidence(text, { around, told: () => told }).passages.map((one) => one.text);

describe('What a text stands beside', () => {
  test('is whatever says an age beside an act, and whatever tells of an act beside an age', () => {
    const around = standing('The rain falls.', AGE, `${ACT} And again.`);
    expect(textsBeside(ACT, around)).toEqual([AGE]);
    expect(textsBeside(AGE, around)).toEqual([`${ACT} And again.`]);
    expect(textsBeside('Hello there.', around)).toEqual([]);
    const told = standing('Ana is 14 years old.');
    expect(textsBeside(ACT, around, told)).toEqual([AGE, 'Ana is 14 years old.']);
    expect(textsBeside(AGE, around, told)).toEqual([`${ACT} And again.`]);
  });

  test('is told once, and never itself', () => {
    const both = `${AGE} ${ACT}`;
    expect(textsBeside(both, standing(both, AGE, `${AGE}\r\n`))).toEqual([AGE]);
    const each = [
      collectEvidence(ACT, { around: standing(AGE) }),
      collectEvidence(AGE, { around: standing(ACT) }),
    ];
    expect(mergeEvidence(each, [ACT, AGE])).toEqual(NO_EVIDENCE);
  });

  test('is all of it where only several texts say it together', () => {
    const around = standing('Age:', '14', 'She likes horses.');
    expect(textsBeside(ACT, around)).toEqual(['Age:', '14', 'She likes horses.']);
  });

  test('is as much as counts of a message, and told whole', () => {
    const text = `${AGE} ${'The rain falls. '.repeat(9)}`.trim();
    expect(textsBeside(ACT, [{ of: 'message', text, said: 'The rain falls.' }])).toEqual([]);
    expect(textsBeside(ACT, [{ of: 'message', text, said: AGE }])).toEqual([text]);
  });

  test('says that it is not all of it where it is more than staff is shown', () => {
    const long = standing(AGE, `${AGE} ${'x'.repeat(APPEAL_LIMITS.maxEvidenceChars)}`);
    const cut = collectEvidence(ACT, { around: long });
    expect(cut.whole).toBe(false);
    expect(cut.passages.map(({ text }) => text.length).reduce((sum, one) => sum + one)).toBe(
      APPEAL_LIMITS.maxEvidenceChars,
    );
    const many = standing(...Array.from({ length: 60 }, (_, index) => `Mia ${index} is 15 years old.`));
    expect(collectEvidence(ACT, { around: many })).toMatchObject({
      whole: false,
      passages: { length: APPEAL_LIMITS.maxEvidencePassages },
    });
    expect(collectEvidence(ACT, { around: many.slice(0, 50) }).whole).toBe(true);
  });
});
