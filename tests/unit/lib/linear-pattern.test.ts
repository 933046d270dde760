import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLinearPattern } from '../../../src/lib/linear-pattern.ts';

const findIn = (source: string, flags: string, text: string): boolean | null =>
  compileLinearPattern(source, flags)?.isIn(text, { steps: 1_000_000 }) ?? null;

/** Tries every place between two characters: V8's own search also tries `\B` inside a surrogate pair, against the standard. */
function engineFinds(source: string, flags: string, text: string): boolean {
  const expression = new RegExp(source, `uy${flags}`);
  const places = [...text].map((_, index, chars) => chars.slice(0, index).join('').length);
  return [...places, text.length].some((place) => {
    expression.lastIndex = place;
    return expression.test(text);
  });
}

/** Patterns of everything that is supported, for texts of the same few characters. */
const pattern = fc
  .letrec<{ choice: string; sequence: string; repeated: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constantFrom('a', 'b', 'B', '-', 'é', '.', '\\w', '\\W', '\\d', '\\s', '\\.', '\\x61', '\\u{62}'),
      fc.constantFrom('[ab]', '[^a]', '[a-b\\d]', '[^\\w\\s]', '[\\b]', '[Bé-]', '\\p{Lu}', '\\P{L}', '\\t'),
      fc.constantFrom('^', '$', '\\b', '\\B'),
      tie('choice').map((inner) => `(${inner})`),
      tie('choice').map((inner) => `(?:${inner})`),
    ),
    repeated: fc
      .tuple(
        tie('atom'),
        fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?', '??'),
      )
      .map(([atom, sign]) => (['^', '$', '\\b', '\\B'].includes(atom) ? atom : atom + sign)),
    sequence: fc.array(tie('repeated'), { maxLength: 4 }).map((parts) => parts.join('')),
    choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
  }))
  .choice.filter((source) => source.length <= 40);
const text = fc
  .array(fc.constantFrom('a', 'b', 'A', 'B', 'é', '-', '.', '1', ' ', '\n', '𝔸'), { maxLength: 8 })
  .map((chars) => chars.join(''));

describe('Patterns in linear time', () => {
  test('a pattern is found in the same texts in which the engine finds it', () => {
    fc.assert(
      fc.property(pattern, fc.subarray(['i', 'm', 's']), text, (source, flags, story) => {
        expect(findIn(source, flags.join(''), story)).toBe(engineFinds(source, flags.join(''), story));
      }),
      { numRuns: 2000, examples: [[String.raw`\B`, [], 'a𝔸a']] },
    );
  });

  test.each([
    ['(?=a)b', 'looks ahead'],
    ['(?!a)b', 'looks ahead'],
    ['(?<=a)b', 'looks behind'],
    [String.raw`(a)\1`, 'refers back'],
    [String.raw`(?<x>a)\k<x>`, 'refers back'],
    ['(a', 'is not closed'],
    ['a)', 'is not open'],
    ['[a', 'is not closed'],
    ['*a', 'repeats nothing'],
    ['a**', 'repeats twice'],
    ['a{3,2}', 'has its limits the wrong way round'],
    ['a{9999}', 'is too large'],
    ['(?:(?:a{30}){30}){30}', 'is too large'],
    ['('.repeat(60) + ')'.repeat(60), 'is too deep'],
    [String.raw`\p{Nothing}a`, 'has an unknown property', true],
  ])('the pattern %s, which %s, is not compiled', (source, _, isLiteral = false) => {
    expect(compileLinearPattern(source, '') === null).toBe(!isLiteral);
  });

  test('a part that is always empty counts once, however often it repeats', () => {
    const source = `${'('.repeat(40)}${'){99999}'.repeat(40)}`;
    expect(compileLinearPattern(source, '')?.size).toBe(1);
    expect(findIn(`a${source}b`, '', 'ab')).toBe(true);
  });

  test('escapes that have no meaning and braces that repeat nothing are characters', () => {
    expect(findIn(String.raw`it\'s`, '', "it's")).toBe(true);
    expect(findIn('a{b}', 'i', 'A{B}')).toBe(true);
    expect(findIn('a]', 'i', 'A]')).toBe(true);
    expect(findIn(String.raw`a\/b`, '', 'a/b')).toBe(true);
  });

  test('any text is compiled or refused without an error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab^$*+?{}[]()|\\.,:<=!-09u') }),
        text,
        (source, story) => {
          expect(findIn(source, 'i', story)).toBeOneOf([true, false, null]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each(['(a+)+$', '(a|a)*$', '(a|b|ab)*c', '(.*)*x', 'a{0,200}a{0,200}$', '(a?){100}b'])(
    'the steps of the pattern %s grow with the length of the text and no faster',
    (source) => {
      const count = (length: number) => {
        const budget = { steps: 1e9 };
        compileLinearPattern(source, '')?.isIn(`${'a'.repeat(length)}!`, budget);
        return 1e9 - budget.steps;
      };
      expect(count(20_000)).toBeLessThan(2.5 * count(10_000));
    },
  );

  test('a search without steps left finds nothing and stops', () => {
    const budget = { steps: 10 };
    expect(compileLinearPattern('a*b', '')?.isIn(`${'a'.repeat(1000)}b`, budget)).toBe(false);
    expect(budget.steps).toBeLessThan(0);
  });
});
