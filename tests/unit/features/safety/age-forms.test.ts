import { expect, test } from 'vitest';
import { isTest, readTexts } from '../../../../scripts/safety/data.ts';
import { hasMinorCharacter, isSexualWithMinor } from '../../../../src/features/safety/decisions.ts';
import forms from '../../../support/minors/age-forms.json' with { type: 'json' };

/**
 * Ways to state an age, quantities that look like one, adults whose descriptions mention schools or small bodies, and
 * notices that everyone is of age, or that readers under 18 have to leave. In
 * a form, `{n}` is a number in digits and in words, `{digits}` for digits only, and any other name for an entry of
 * the list of that name.
 */
type Forms = Record<'ages' | 'quantities' | 'adults' | 'ofAge', string[]> &
  Record<string, string[] | undefined>;

const BY_LANGUAGE = Object.entries(forms) as [string, Forms][];

/** The age of the first entry of a list. */
const YOUNGEST = 3;
const AGES = [3, 5, 11, 13, 14, 17];

/** The plainest sexual text about adults in each language. */
const TEXTS = readTexts();
const ACTS = new Map(
  BY_LANGUAGE.map(([language]) => [
    language,
    TEXTS.find((one) => one.language === language && one.batch === 'core' && one.labels.includes('sexual'))
      ?.text as string,
  ]),
);

const fillForm = (form: string, own: Forms, age: number): string[] => {
  const list = (name: string) => own[name]?.[age - YOUNGEST] ?? '';
  const fill = (number: string) =>
    form.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'n' ? number : name === 'digits' ? String(age) : list(name),
    );
  return form.includes('{n}') ? [fill(String(age)), fill(list('words'))] : [fill('')];
};

/** "F9" and "f/9" name keys, rooms and lenses too; below ten they are no age. */
const isSignedAge = (form: string): boolean => /^[A-ZЖa-z]\/?\{digits\}/.test(form);

const fillForms = (all: readonly string[], own: Forms): string[] =>
  all.flatMap((form) =>
    AGES.filter((age) => age > 9 || !isSignedAge(form)).flatMap((age) => fillForm(form, own, age)),
  );

/** Whether a text is refused with a sexual text about adults after it. */
const isRefused = (language: string, text: string): boolean =>
  isSexualWithMinor(`${text}${/[.!?。]$/.test(text) ? ' ' : '\n'}${ACTS.get(language) as string}`);

/** Number words that are another word in a second language: "Anna, once, sonríe." */
const AMBIGUOUS = /(?:once|elf|sei|seize|lima)\b/i;

test.each(BY_LANGUAGE)(
  'a sexual text next to an age under 18 is refused in %s, however it is stated',
  (language, own) => {
    const texts = fillForms(own.ages, own);
    expect(texts.length).toBeGreaterThan(400);
    const unread = texts.filter((text) => !AMBIGUOUS.test(text) && !isRefused(language, text));
    expect(unread.length / texts.length, unread.join('\n')).toBeLessThan(0.008);
  },
);

test.each(BY_LANGUAGE)('a sexual text next to a quantity or a time is accepted in %s', (language, own) => {
  const texts = fillForms(own.quantities, own);
  expect(texts.length).toBeGreaterThan(200);
  const refused = texts.filter((text) => isRefused(language, text));
  expect(refused.length / texts.length, refused.join('\n')).toBeLessThan(0.03);
});

test('a sexual text next to teachers, memories of school, adults born long ago and small adults is accepted', () => {
  const texts = BY_LANGUAGE.flatMap(([language, own]) => own.adults.map((text) => ({ language, text })));
  expect(texts.length).toBeGreaterThan(400);
  const refused = texts.filter(({ language, text }) => isRefused(language, text));
  expect(refused.length, refused.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(5);
});

test.each(BY_LANGUAGE)(
  'a sexual text next to a notice that it is for adults and about adults is accepted in %s',
  (language, own) => {
    expect(own.ofAge.length).toBeGreaterThan(3);
    expect(own.ofAge.filter((text) => isRefused(language, text))).toEqual([]);
    expect(own.ofAge.filter((text) => hasMinorCharacter(text))).toEqual([]);
  },
);

test('a sexual text next to a text about a minor is refused for at least 575 of 726', () => {
  const minors = TEXTS.filter((one) => isTest(one) && one.labels.includes('minor'));
  expect(minors).toHaveLength(726);
  expect(minors.filter(({ language, text }) => isRefused(language, text)).length).toBeGreaterThanOrEqual(575);
});
