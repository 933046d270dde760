import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainEntry, plainLetters } from '../../src/features/safety/crisis-text.ts';
import { folded } from '../../src/features/safety/minors-patterns.ts';
import { isWestern } from '../../src/features/safety/western-signs.ts';

const sign = fc.oneof(
  fc.constantFrom(...'abcdefkKsSXyY013457@$!|*#.,;:-_\'"`()\n\t  '),
  fc.constantFrom(...'‘’“”–—'),
  fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)),
);
const text = fc.string({ unit: sign, maxLength: 200 });

/** What no form of Unicode changes and no rule looks at; with it a text takes the longer way. */
const LONGER_WAY = ';中';

test.each([
  ['words about age', folded],
  ['words of a crisis', plainLetters],
  ['entries of lists', plainEntry],
])(
  'An English text is read the same for %s, whether a sign of another script stands behind it or not',
  (_, read) => {
    expect(isWestern(LONGER_WAY)).toBe(false);
    fc.assert(
      fc.property(text, (said) => {
        expect(isWestern(said)).toBe(true);
        expect(read(said + LONGER_WAY)).toBe(read(said) + LONGER_WAY);
      }),
      { numRuns: 2000 },
    );
  },
);

test('What is not of the West alone takes the longer way', () => {
  for (const other of ['é', 'ѕ', '\u200b', '\u00ad', 'ｓ', '…', '´', '\ud800'])
    expect(isWestern(`sex ${other}`)).toBe(false);
});
