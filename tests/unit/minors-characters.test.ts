import { describe, expect, test } from 'vitest';
import { hasMinorCharacter, isSexualWithMinor } from '../../src/features/safety/decisions.ts';
import { applyRules } from '../../src/features/safety/moderation.ts';
import plainDays from '../support/minors/plain-days.json' with { type: 'json' };
import texts from '../support/minors/characters.json' with { type: 'json' };

const BY_LANGUAGE = Object.entries(texts);

describe('A character for adults', () => {
  test.each(BY_LANGUAGE)('%s: is none who is a minor, or who meets one', (_, { young }) => {
    expect(young.filter((text) => !hasMinorCharacter(text))).toEqual([]);
  });

  test.each(BY_LANGUAGE)('%s: may have children, pupils and a youth', (_, { grown }) => {
    expect(grown.filter((text) => hasMinorCharacter(text))).toEqual([]);
  });

  test.each(['Lily, 14', 'Lily (15)', '莉莉，十四岁'])('is not called %s', (name) => {
    expect(hasMinorCharacter(name)).toBe(true);
  });

  test('is refused without a word about sex, and the same character for everybody is not', () => {
    const text = 'Lily is 14 years old, a schoolgirl. She is in love with {{user}}, her teacher.';
    expect(applyRules(text, { place: 'publication', adult: true })).toMatchObject({
      ok: false,
      rule: 'minors',
    });
    expect(applyRules(text, { place: 'publication', adult: false })).toMatchObject({ ok: true });
    // What is written in a chat for adults is looked at beside the acts in it.
    expect(applyRules('My son is 14.', { place: 'message', adult: true })).toMatchObject({ ok: true });
  });

  test('is judged by each text for itself: what staff let by passes, and no other', () => {
    const about = { place: 'publication', adult: true } as const;
    const text = 'Lily is 14 years old.';
    expect(applyRules(text, { ...about, letBy: new Set(['minors']) })).toMatchObject({ ok: true });
    expect(applyRules(text, { ...about, letBy: new Set(['hate']) })).toMatchObject({ ok: false });
  });
});

describe('Parents', () => {
  test.each(BY_LANGUAGE)('%s: write of their children and of their own nights', (_, { couples }) => {
    expect(couples.filter((text) => isSexualWithMinor(text))).toEqual([]);
  });

  test.each(BY_LANGUAGE)('%s: are refused where the children are part of it', (_, { notCouples }) => {
    expect(notCouples.filter((text) => !isSexualWithMinor(text))).toEqual([]);
  });
});

test('A pupil of fourteen has days without anything in them that is refused', () => {
  const about = 'Mia is 14 years old and goes to school.';
  expect(plainDays.filter((text) => isSexualWithMinor(text, about))).toEqual([]);
});
