// YAML as programs write it, in each style of its values, and text that is no such YAML.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFlatYaml } from '../../../../src/features/cards/flat-yaml.ts';
import { measureGrowth } from '../../../support/measure-growth.ts';

const LINES = /\n/g;

/** Writers of a text in each style; null for a text that the style cannot hold. */
const STYLES: Record<string, (text: string) => string | null> = {
  plain: (text) => (/^[a-z][a-z ]*[a-z]$/.test(text) ? text : null),
  // A break is an empty line; blanks next to it would be lost.
  single: (text) =>
    /^\s|\s$|[ \t]\n|\n[ \t]|[^\n -~]/.test(text)
      ? null
      : `'${text.replaceAll("'", "''").replaceAll(/\n+/g, (breaks) => `${breaks}\n  `)}'`,
  double: (text) => JSON.stringify(text),
  literal: (text) => {
    if (text.trim() === '' || /[^\n\t -~]/.test(text)) return null;
    return `|2+\n${text.replaceAll(/^(?=.)/gm, '  ')}`.replace(/\n$/, '');
  },
};

/** In characters. */
const SHORT = 12_000;
const LONG = 8 * SHORT;

/** The least processor time of three readings of an open quote, a closed one, a block and a plain value, in microseconds. */
function measureCost(text: string): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    parseFlatYaml(text);
    parseFlatYaml(`${text}"`);
    parseFlatYaml(text.replace('"', '|\n'));
    parseFlatYaml(text.replace('"', ''));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...runs);
}

describe('Flat YAML', () => {
  test('a text is the same after it was written in any style', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', "'", '"', '\\', '#', ':'), maxLength: 40 }),
    );
    const style = fc.constantFrom(...Object.keys(STYLES));
    let count = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(text, style), { minLength: 1, maxLength: 4 }), (texts) => {
        const entries = texts.flatMap(([value, name], index) => {
          const written = STYLES[name]?.(value) ?? null;
          // A literal block that keeps its end has one more break.
          const expected = name === 'literal' && !value.endsWith('\n') ? `${value}\n` : value;
          return written === null ? [] : [{ key: `key_${index}`, written, expected }];
        });
        if (entries.length === 0) return;
        count += entries.length;
        const yaml = entries.map(({ key, written }) => `${key}: ${written}\n`).join('');
        expect(parseFlatYaml(yaml)).toEqual(
          Object.fromEntries(entries.map(({ key, expected }) => [key, expected])),
        );
      }),
      { numRuns: 500 },
    );
    expect(count).toBeGreaterThan(200);
  });

  test.each([
    ['a plain value over lines', 'a: one\n  two\n\n  three # no\nb: x', { a: 'one two\nthree', b: 'x' }],
    [
      'a folded block',
      'a: >\n  one\n  two\n\n  three\n    more\n  four\n\nb: x',
      {
        a: 'one two\nthree\n  more\nfour\n',
        b: 'x',
      },
    ],
    ['a literal block without its end', 'a: |-\n  one\n   two\n\n\nb: x', { a: 'one\n two', b: 'x' }],
    ['a block of blanks', 'a: |\n   \nb: x', { a: '', b: 'x' }],
    ['quotes over lines', 'a: \'one\n\n  two\'\nb: "x \\\n  \\ y\\u00e9"', { a: 'one\ntwo', b: 'x  yé' }],
    ['a quote in quotes', "a: 'it''s' # no", { a: "it's" }],
    ['Windows lines and a document mark', '---\r\n# no\r\na: x\r\n...\r\n{', { a: 'x' }],
    ['nested values, which it leaves out', 'a:\n  b: c\nd:\n- e\nf: [1]\ng: &x y\nh: x', { h: 'x' }],
    ['a key that every object has', '__proto__: x', JSON.parse('{"__proto__":"x"}')],
  ])('%s can be read', (_, yaml, expected) => {
    expect(parseFlatYaml(yaml)).toEqual(expected);
  });

  test.each([
    ['JSON', '{"a": 1}'],
    ['prose', 'Dear reader,\nwelcome.'],
    ['a quote that never ends', 'a: "x\nb: y'],
    ['text after a quote', 'a: "x" y'],
    ['an escape that YAML does not have', String.raw`a: "\q"`],
    ['too many keys', Array.from({ length: 101 }, (_, index) => `k${index}: x`).join('\n')],
    ['more than a quarter of a mebibyte', `a: ${'x'.repeat(256 * 1024)}`],
    ['nothing', ''],
  ])('%s is no flat YAML', (_, text) => {
    expect(parseFlatYaml(text)).toBeNull();
  });

  test('a text of one repeated part is read in a time that does not grow faster than its length', () => {
    const parts = [
      ' ',
      '\n',
      '\t\n',
      "'",
      '"',
      '\\',
      '#',
      ' #',
      '|',
      '- ',
      'a: |\n',
      'a: "\\\n',
      '\\\n',
      '\\n',
      "a: '\n",
      ' a\n',
    ];
    for (const part of parts) {
      const repeatPart = (length: number) => `a: x\nb: "${part.repeat(length).slice(0, length)}`;
      // Eight times the text may take at most 20 times the processor time; quadratic work takes 64 times.
      const bounds = { short: SHORT, long: LONG, limit: 20 };
      const growth = measureGrowth((length) => measureCost(repeatPart(length)), bounds);
      expect(growth, JSON.stringify(part)).toBeLessThan(bounds.limit);
    }
  });

  test('any text is read or refused', () => {
    const unit = fc.constantFrom(...'ab:|>\'"\\ \n\t#-[{&*!0+x'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 80 }), (text) => {
        const fields = parseFlatYaml(`a: ${text}`);
        for (const value of Object.values(fields ?? {})) {
          expect(value.length).toBeLessThanOrEqual(text.length + 1 + (text.match(LINES) ?? []).length);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
