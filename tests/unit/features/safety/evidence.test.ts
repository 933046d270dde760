import { describe, expect, test } from 'vitest';
import { isTest, readTexts } from '../../../../scripts/safety/data.ts';
import { APPEAL_LIMITS } from '../../../../src/features/safety/limits.ts';
import {
  NO_EVIDENCE,
  mergeEvidence,
  collectEvidence,
  type ContextPassage,
} from '../../../../src/features/safety/evidence.ts';
import { applyRules } from '../../../../src/features/safety/moderation.ts';

const ACT = 'They have sex.';
const AGE = 'Mia is 15 years old.';

const toPassages = (...texts: string[]): ContextPassage[] => texts.map((text) => ({ of: 'character', text }));
const collectTexts = (
  text: string,
  around: readonly ContextPassage[],
  told: readonly ContextPassage[] = [],
): string[] => collectEvidence(text, { around, listExtra: () => told }).passages.map((one) => one.text);

describe('Evidence around a text', () => {
  test('an act collects the ages around it, and an age collects the acts around it', () => {
    const around = toPassages('The rain falls.', AGE, `${ACT} And again.`);
    expect(collectTexts(ACT, around)).toEqual([AGE]);
    expect(collectTexts(AGE, around)).toEqual([`${ACT} And again.`]);
    expect(collectTexts('Hello there.', around)).toEqual([]);
    const mentioned = toPassages('Ana is 14 years old.');
    expect(collectTexts(ACT, around, mentioned)).toEqual([AGE, 'Ana is 14 years old.']);
    expect(collectTexts(AGE, around, mentioned)).toEqual([`${ACT} And again.`]);
  });

  test('every text that is refused because of a definition has the definition as evidence', () => {
    const about = { place: 'message', adult: true, context: AGE } as const;
    const refused = readTexts()
      .filter((one) => isTest(one) && one.labels.includes('sexual'))
      .map(({ text }) => text)
      .filter((text) => applyRules(text, { ...about, context: '' }).ok && !applyRules(text, about).ok);
    expect(refused.length).toBeGreaterThan(400);
    expect(refused.filter((text) => collectTexts(text, toPassages(AGE)).length === 0)).toEqual([]);
  });

  test('a passage is collected once, and a text is never evidence for itself', () => {
    const both = `${AGE} ${ACT}`;
    expect(collectTexts(both, toPassages(both, AGE, `${AGE}\r\n`))).toEqual([AGE]);
    const each = [
      collectEvidence(ACT, { around: toPassages(AGE) }),
      collectEvidence(AGE, { around: toPassages(ACT) }),
    ];
    expect(mergeEvidence(each, [ACT, AGE])).toEqual(NO_EVIDENCE);
  });

  test('all passages are collected when only several together state an age', () => {
    const around = toPassages('Age:', '14', 'She likes horses.');
    expect(collectTexts(ACT, around)).toEqual(['Age:', '14', 'She likes horses.']);
  });

  test('a message counts by its relevant part and is collected whole', () => {
    const text = `${AGE} ${'The rain falls. '.repeat(9)}`.trim();
    expect(collectTexts(ACT, [{ of: 'message', text, said: 'The rain falls.' }])).toEqual([]);
    expect(collectTexts(ACT, [{ of: 'message', text, said: AGE }])).toEqual([text]);
  });

  test('evidence above the limits for staff is cut and marked as incomplete', () => {
    const long = toPassages(AGE, `${AGE} ${'x'.repeat(APPEAL_LIMITS.maxEvidenceChars)}`);
    const cut = collectEvidence(ACT, { around: long });
    expect(cut.whole).toBe(false);
    expect(cut.passages.map(({ text }) => text.length).reduce((sum, one) => sum + one)).toBe(
      APPEAL_LIMITS.maxEvidenceChars,
    );
    const many = toPassages(...Array.from({ length: 60 }, (_, index) => `Mia ${index} is 15 years old.`));
    expect(collectEvidence(ACT, { around: many })).toMatchObject({
      whole: false,
      passages: { length: APPEAL_LIMITS.maxEvidencePassages },
    });
    expect(collectEvidence(ACT, { around: many.slice(0, 50) }).whole).toBe(true);
  });
});
