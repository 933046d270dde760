import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPseudoMessages, toPseudoText } from '../../../src/locales/pseudo.ts';

const listPlaceholders = (text: string) => text.match(/\{\{.*?\}\}|\$t\([^)]*\)|<\/?[a-z\d][^<>]*>/gi) ?? [];
const stripPlaceholders = (text: string) =>
  text.replaceAll(/\{\{.*?\}\}|\$t\([^)]*\)|<\/?[a-z\d][^<>]*>/gi, '');

const word = fc.stringMatching(/^[A-Za-zéüñßжあ]{1,12}$/);
const place = fc.constantFrom(
  '{{name}}',
  '{{count, number}}',
  '$t(common:skipToContent)',
  '<b>',
  '</b>',
  '<1>',
);
const sentence = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: place }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(' '));

describe('Pseudo language', () => {
  test('a pseudo text reads like English with accents, in brackets', () => {
    expect(toPseudoText('Hello')).toMatch(/^⟦Ĥéļļö\S+⟧$/);
    expect(toPseudoText('Log in')).toMatch(/^⟦Ļöĝ îñ .+⟧$/);
  });

  test('a pseudo text keeps its placeholders unchanged', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        expect(listPlaceholders(toPseudoText(text))).toEqual(listPlaceholders(text));
      }),
    );
  });

  test('a pseudo text changes every letter, so that an untranslated text stands out', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        expect(stripPlaceholders(toPseudoText(text))).not.toMatch(/[A-Za-z]/);
        for (const letter of stripPlaceholders(text).match(/[éüñßжあ]/g) ?? []) {
          expect(stripPlaceholders(toPseudoText(text))).toContain(`${letter}\u{307}`);
        }
      }),
    );
  });

  test('a pseudo text is about two fifths longer', () => {
    fc.assert(
      fc.property(word, word, (one, two) => {
        const text = `${one} ${two}`;
        const growth = [...toPseudoText(text).normalize('NFD').replaceAll(/\p{M}/gu, '')].length;
        const before = [...text.normalize('NFD').replaceAll(/\p{M}/gu, '')].length;
        expect(growth).toBeGreaterThanOrEqual(Math.floor(before * 1.3));
        expect(growth).toBeLessThanOrEqual(Math.ceil(before * 1.45) + 4);
      }),
    );
  });

  test('a pseudo dictionary keeps its keys at every depth', () => {
    const messages = { title: 'Home', how: { first: { text: 'Go, {{name}}' } } };
    const pseudo = toPseudoMessages(messages);
    expect(Object.keys(pseudo)).toEqual(['title', 'how']);
    expect(pseudo.how.first.text).toMatch(/^⟦Ĝö, \{\{name\}\} .+⟧$/);
  });
});
