import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPseudoMessages, toPseudoText } from '../../src/locales/pseudo.ts';

const placesOf = (text: string) => text.match(/\{\{.*?\}\}|\$t\([^)]*\)|<\/?[a-z\d][^<>]*>/gi) ?? [];
const withoutPlaces = (text: string) => text.replaceAll(/\{\{.*?\}\}|\$t\([^)]*\)|<\/?[a-z\d][^<>]*>/gi, '');

const word = fc.stringMatching(/^[A-Za-zéüñßжあ]{1,12}$/);
const place = fc.constantFrom('{{name}}', '{{count, number}}', '$t(common:skip)', '<b>', '</b>', '<1>');
const sentence = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: place }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(' '));

describe('In the test language', () => {
  test('a text reads like English with accents, in brackets', () => {
    expect(toPseudoText('Hello')).toMatch(/^⟦Ĥéļļö\S+⟧$/);
    expect(toPseudoText('Log in')).toMatch(/^⟦Ļöĝ îñ .+⟧$/);
  });

  test('what a page fills in stays where it was, letter for letter', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        expect(placesOf(toPseudoText(text))).toEqual(placesOf(text));
      }),
    );
  });

  test('no letter is left as it was, so that a text from elsewhere shows', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        expect(withoutPlaces(toPseudoText(text))).not.toMatch(/[A-Za-z]/);
        for (const letter of withoutPlaces(text).match(/[éüñßжあ]/g) ?? []) {
          expect(withoutPlaces(toPseudoText(text))).toContain(`${letter}\u{307}`);
        }
      }),
    );
  });

  test('every text is longer by about two fifths', () => {
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

  test('a dictionary keeps its keys, however deep', () => {
    const messages = { title: 'Home', how: { first: { text: 'Go, {{name}}' } } };
    const pseudo = toPseudoMessages(messages);
    expect(Object.keys(pseudo)).toEqual(['title', 'how']);
    expect(pseudo.how.first.text).toMatch(/^⟦Ĝö, \{\{name\}\} .+⟧$/);
  });
});
