import { describe, expect, test } from 'vitest';
import { hasMinorCharacter, isSexualWithMinor } from '../../../../src/features/safety/decisions.ts';
import { applyRules } from '../../../../src/features/safety/moderation.ts';
import plainDays from '../../../support/minors/plain-days.json' with { type: 'json' };
import texts from '../../../support/minors/characters.json' with { type: 'json' };

const BY_LANGUAGE = Object.entries(texts);

describe('Adult characters', () => {
  test.each(BY_LANGUAGE)(
    '%s: an adult character who is a minor or meets one is recognized',
    (_, { young }) => {
      expect(young.filter((text) => !hasMinorCharacter(text))).toEqual([]);
    },
  );

  test.each(BY_LANGUAGE)('%s: an adult character may have children, pupils and a youth', (_, { grown }) => {
    expect(grown.filter((text) => hasMinorCharacter(text))).toEqual([]);
  });

  test.each(['Lily, 14', 'Lily (15)', '莉莉，十四岁'])('the name %s marks a character as a minor', (name) => {
    expect(hasMinorCharacter(name)).toBe(true);
  });

  test('a minor as an adult character is refused without any sexual text, and as a general character is not', () => {
    const text = 'Lily is 14 years old, a schoolgirl. She is in love with {{user}}, her teacher.';
    expect(applyRules(text, { place: 'publication', adult: true })).toMatchObject({
      ok: false,
      rule: 'minors',
    });
    expect(applyRules(text, { place: 'publication', adult: false })).toMatchObject({ ok: true });
    // A message in an adult chat is judged together with the acts in it.
    expect(applyRules('My son is 14.', { place: 'message', adult: true })).toMatchObject({ ok: true });
  });

  test('an exception by staff covers only the refusal reason that it names', () => {
    const about = { place: 'publication', adult: true } as const;
    const text = 'Lily is 14 years old.';
    expect(applyRules(text, { ...about, exemptRules: new Set(['minors']) })).toMatchObject({ ok: true });
    expect(applyRules(text, { ...about, exemptRules: new Set(['hate']) })).toMatchObject({ ok: false });
  });
});

describe('Parents', () => {
  test.each(BY_LANGUAGE)(
    '%s: texts of parents about their children and their own nights are accepted',
    (_, { couples }) => {
      expect(couples.filter((text) => isSexualWithMinor(text))).toEqual([]);
    },
  );

  test.each(BY_LANGUAGE)(
    '%s: texts of parents are refused when the children are part of the act',
    (_, { notCouples }) => {
      expect(notCouples.filter((text) => !isSexualWithMinor(text))).toEqual([]);
    },
  );
});

test('the plain days of a fourteen-year-old pupil contain nothing that is refused', () => {
  const about = 'Mia is 14 years old and goes to school.';
  expect(plainDays.filter((text) => isSexualWithMinor(text, about))).toEqual([]);
});
