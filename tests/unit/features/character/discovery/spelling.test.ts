import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countEdits,
  findNearestWords,
  listSpellingKeys,
} from '../../../../../src/features/character/discovery/spelling.ts';

test('an edit is a letter added, left out or replaced, or two neighbours swapped', () => {
  expect(
    [
      ['mira', 'mira'],
      ['mira', 'mirra'],
      ['mira', 'mia'],
      ['mira', 'mora'],
      ['tavia', 'taiva'],
      ['lighthouse', 'lihgthuose'],
      ['', 'ab'],
    ].map(([one = '', other = '']) => countEdits(one, other)),
  ).toEqual([0, 1, 1, 1, 1, 2, 2]);
});

test('one edit is tolerated from four letters on, two from eight, and none below', () => {
  const words = ['kei', 'tavia', 'tavita', 'lighthouse'];
  expect(findNearestWords('key', words, 4)).toEqual([]);
  expect(findNearestWords('tavta', words, 4)).toEqual(['tavia', 'tavita']);
  expect(findNearestWords('ligthose', words, 4)).toEqual(['lighthouse']);
  expect(findNearestWords('tvt', words, 4)).toEqual([]);
  expect(findNearestWords('tavta', words, 1)).toEqual(['tavia']);
});

test('a word and the same word with one edit have a key in common', () => {
  const letters = fc.array(fc.constantFrom(...'abcdeйश'), { minLength: 5, maxLength: 14 });
  fc.assert(
    fc.property(letters, fc.nat(), fc.constantFrom('add', 'leave', 'replace', 'swap'), (word, at, edit) => {
      const place = at % (word.length - 1);
      const edited = {
        add: word.toSpliced(place, 0, 'z'),
        leave: word.toSpliced(place, 1),
        replace: word.with(place, 'z'),
        swap: word.toSpliced(place, 2, word[place + 1] as string, word[place] as string),
      }[edit];
      const [one, other] = [word, edited].map((one) => new Set(listSpellingKeys(one.join(''))));
      expect(one?.isDisjointFrom(other as Set<string>)).toBe(false);
      expect(other?.size).toBeLessThanOrEqual(29);
    }),
  );
});
