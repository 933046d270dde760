import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  expandMacros,
  type MacroValues,
  replaceMacros,
  replaceScannedMacros,
  resolveMacros,
} from '../../../../src/features/conversation/macro-names.ts';

const VALUES = { user: 'Anouk', char: 'Mira', at: Date.UTC(2026, 4, 4, 16, 30) };
const AT = Array.from({ length: 300 }, (_, index) => VALUES.at + index);

/** Every result that a text has over many times of writing. */
const listResults = (text: string): Set<string> =>
  new Set(AT.map((at) => replaceMacros(text, { ...VALUES, at })));

describe('Macros', () => {
  test.each([
    ['{{user}}, {{USER}} and {{Char}}{{char}}', 'Anouk, Anouk and MiraMira'],
    ['<USER>, <user>, <BOT>, <bot>, <char> and <Char>', 'Anouk, Anouk, Mira, Mira, Mira and Mira'],
    ['{{ user }}', 'Anouk'],
    ['{{{user}}}', '{Anouk}'],
    ['A{{// a note\nof {the} maker}}B', 'AB'],
    ['A{{comment: a note}}B{{comment}}C', 'ABC'],
    ['A{{hidden_key:lamp}}B', 'AB'],
    ['{{reverse:Hello}} {{reverse:𝔸b}}', 'olleH b𝔸'],
    ['{{reverse:{{user}}}}', 'kuonA'],
    ['{{date}} at {{time}}', '2026-05-04 at 16:30'],
    ['{{idle_duration}}', 'just now'],
    ['{{random}}{{pick:}}{{roll:}}{{roll:x}}{{roll:0}}{{roll:999d6}}', ''],
    ['{{random:only}}', 'only'],
    [String.raw`{{random:a\,b}}`, 'a,b'],
    ['{{random:{{user}}}} {{// {{random:a,b}} }}.', 'Anouk .'],
    ['<us{{// x}}er>', 'Anouk'],
    [
      '{{users}} {user} {{unknown:x}} <channel> #include <stdio.h> {{',
      '{{users}} {user} {{unknown:x}} <channel> #include <stdio.h> {{',
    ],
  ])('%j becomes %j', (text, expected) => {
    expect(replaceMacros(text, VALUES)).toBe(expected);
  });

  test.each([
    ['{{random:Red,Green}}', ['Red', 'Green']],
    ['{{random::Red::Green, or blue}}', ['Red', 'Green, or blue']],
    ['{{RANDOM: Red , Green }}', ['Red', 'Green']],
    ['{{pick::Red,Green}}', ['Red', 'Green']],
    ['{{random:{{char}},{{user}}}}', ['Mira', 'Anouk']],
    ['{{roll:6}}', ['1', '2', '3', '4', '5', '6']],
    ['{{roll d4}}', ['1', '2', '3', '4']],
    ['{{roll:D4}}', ['1', '2', '3', '4']],
    ['{{roll:2d2+1}}', ['3', '4', '5']],
    ['{{roll:1d2-1}}', ['0', '1']],
  ])('%j becomes one of %j, each at some time', (text, options) => {
    expect(listResults(text)).toEqual(new Set(options));
  });

  test('equal picks have equal values, equal draws and rolls their own', () => {
    for (const at of AT) {
      const [first, second] = replaceMacros('{{pick:a,b,c}} {{pick:a,b,c}}', { ...VALUES, at }).split(' ');
      expect(first).toBe(second);
    }
    expect(listResults('{{random:a,b}}{{random:a,b}}')).toEqual(new Set(['aa', 'ab', 'ba', 'bb']));
    expect(listResults('{{roll:2}}{{roll:2}}')).toEqual(new Set(['11', '12', '21', '22']));
  });

  test('without a time, draws are the same everywhere and times are left out', () => {
    const { at: _, ...names } = VALUES;
    expect(replaceMacros('[{{time}}{{date}}]', names)).toBe('[]');
    expect(replaceMacros('{{roll:1000}}', names)).toBe(replaceMacros('{{roll:1000}}', names));
  });

  test('a name is never read as a macro', () => {
    expect(replaceMacros('{{user}}', { user: '{{char}}', char: 'x' })).toBe('char');
    expect(replaceMacros('{{user}} {{char}}', { user: '$&', char: '$1' })).toBe('$& $1');
    expect(replaceMacros('{{char}}', { user: 'Anouk', char: '<<bot>><{<user>}>' })).toBe('botuser');
    expect(replaceMacros('{{<user>}} {{char <BOT>}}', { user: 'Anouk', char: 'x' })).toBe(
      '{{Anouk}} {{char x}}',
    );
  });

  test('a hidden key stays only in texts that are searched for keys', () => {
    const text = 'Oil.{{hidden_key:lamp}}{{comment: x}}{{// y}}';
    expect(replaceMacros(text, VALUES)).toBe('Oil.');
    expect(replaceScannedMacros(text, VALUES)).toBe('Oil.lamp');
  });

  test('a text that is sent keeps only its names as macros', () => {
    const sent = resolveMacros('{{user}} rolls {{roll:d1}}. <BOT>: {{random:a}}{{// x}} {{foo}}', 7);
    expect(sent).toBe('{{user}} rolls 1. <BOT>: a {{foo}}');
    const rolled = resolveMacros('{{roll:1000000}}', 7);
    expect(replaceMacros(rolled, VALUES)).toBe(rolled);
  });

  test('a safety rule reads every value that a macro may have', () => {
    expect(
      expandMacros('{{random:one,two}} {{pick::three::four}} {{reverse:evif}}{{hidden_key:six}}', VALUES),
    ).toBe('one two three four fivesix');
  });
});

/** Texts of macros, their pieces and what may come between them, nested in any way. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{{',
        '}}',
        '{',
        '}',
        '<',
        '>',
        'user',
        'char',
        'BOT',
        'random:',
        'pick::',
        'reverse:',
        '//',
      ),
      fc.constantFrom(
        'comment:',
        'hidden_key:',
        'roll:',
        'd6',
        'time',
        'date',
        'idle_duration',
        ',',
        '::',
        ' ',
      ),
      fc.constantFrom(
        '<user>',
        '{{<user>}}',
        '{{user}}',
        '{{char}}',
        '{{random:a,b}}',
        '{{// x}}',
        'resu',
        '\n',
        '\\',
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));
const name = fc.oneof(
  fc.constantFrom('{{user}}', '<user>', '<<bot>>', '<{<user>}>', '<us{er>', '<', '}', '{{', 'Anouk'),
  fc.string({ maxLength: 5 }),
);
const values: fc.Arbitrary<MacroValues> = fc.record(
  { user: name, char: name, at: fc.nat() },
  { requiredKeys: ['user', 'char'] },
);

const KNOWN =
  /\{\{\s*(?:user|char|time|date|idle_duration|\/\/(?:[^{}]|\{(?!\{)|\}(?!\}))*|(?:random|pick|roll|comment|hidden_key|reverse)(?:[:\s](?:[^{}]|\{(?!\{)|\}(?!\}))*)?)\s*\}\}|<(?:user|bot|char)>/iu;

describe('Every text with macros', () => {
  test('a replaced text keeps no macro and does not change when it is replaced again', () => {
    fc.assert(
      fc.property(text, values, (source, given) => {
        const result = replaceMacros(source, given);
        expect(result).not.toMatch(KNOWN);
        expect(replaceMacros(result, given)).toBe(result);
      }),
      { numRuns: 5000 },
    );
  });

  test('a text has the same value for the same time', () => {
    fc.assert(
      fc.property(text, values, (source, given) => {
        expect(replaceMacros(source, given)).toBe(replaceMacros(source, { ...given }));
      }),
    );
  });

  test('a text without macros is not changed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((source) => !KNOWN.test(source)),
        values,
        (source, given) => {
          expect(replaceMacros(source, given)).toBe(source);
        },
      ),
    );
  });

  test.each([
    ['{{', 1],
    ['{{//', 1],
    ['{{random:', 1],
    ['{{random:a,b}}', 1],
    ['{{a{', 1],
    ['}}{{', 1],
    ['<us', 1],
    ['{{reverse:{{user', 1],
  ])('replacing takes time in proportion to the length of a text of repeated %s', (piece) => {
    const time = (length: number) => {
      const source = piece.repeat(length / piece.length);
      const before = performance.now();
      replaceMacros(source, VALUES);
      return performance.now() - before;
    };
    time(20_000);
    // Eight times as long a text must take far less than 64 times as long on any machine.
    expect(time(400_000)).toBeLessThan(Math.max(time(50_000), 20) * 30);
  });
});
