import { describe, expect, test } from 'vitest';
import { createNameSchema, createVisibleTextSchema } from '../../../src/lib/text-schemas.ts';
import { sanitizeText, hasVisibleText, toName } from '../../../src/lib/sanitize-text.ts';

const FAMILY = '👩‍👩‍👧‍👦';
/** «Kshatriya» with a joiner and «Śrī Laṅkā» in Sinhala, a Persian word with a non-joiner, a keycap, a flag of England. */
const JOINED = ['क्‍षत्रिय', 'ශ්‍රී ලංකා', 'می‌خواهم', '☺️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', FAMILY];
const NOTHING = [
  '',
  ' \n\t ',
  '\u200B\u200B',
  '\u200C\u200D',
  '\u2060\uFEFF\u00AD',
  '\u202E\u202C',
  '\u3164',
  '\u115F\u1160\uFFA0',
  '\u2800',
  '\uFE0F',
  '\u{E0020}\u{E007F}',
  '\u0000\u0007\u0085',
  '\u2028\u2029\u00A0\u3000',
  '\uFFF9\uFFFB',
];

describe('Visible text', () => {
  test.each(NOTHING.map((text) => [escape(text), text]))(
    'a text without visible characters is recognized: «%s»',
    (_, text) => {
      expect(hasVisibleText(text)).toBe(false);
    },
  );

  test.each([...JOINED, 'a', '.', '0', '水', 'שלום', '\u200Bx', '*', '\u0301'])(
    'a text with a visible character is recognized: «%s»',
    (text) => {
      expect(hasVisibleText(text)).toBe(true);
    },
  );
});

/** The longest run of combining marks on one letter. */
const countStackedMarks = (text: string) =>
  Math.max(0, ...Array.from(text.matchAll(/\p{M}+/gu), ([run]) => run.length));

describe('Sanitized text', () => {
  test.each(JOINED)('sanitizing keeps joined characters: «%s»', (text) => {
    expect(sanitizeText(text)).toBe(text);
  });

  test('sanitizing limits combining marks, removes direction marks and normalizes line ends', () => {
    expect(countStackedMarks(sanitizeText(`Z${'\u0301'.repeat(200)}`))).toBe(5);
    expect(sanitizeText('\u202Eevil\u202C \u2067left open')).toBe('evil left open');
    expect(sanitizeText(`a${'\u200B'.repeat(300)}b`)).toBe('a\u200Bb');
    expect(sanitizeText('a\r\nb\u0000')).toBe('a\nb');
  });

  test('sanitizing treats a character in a plain text like one in any other text', () => {
    const run = (code: number) => String.fromCharCode(code).repeat(12);
    const codes = Array.from({ length: 0xd800 }, (_, code) => code);
    // A Cyrillic letter makes a text one that is not plain.
    expect(codes.filter((code) => sanitizeText(`я${run(code)}`) !== `я${sanitizeText(run(code))}`)).toEqual(
      [],
    );
  });
});

describe('Typed names', () => {
  const name = createNameSchema(20, { missing: 'Name it', tooLong: 'Too long' });
  const listErrors = (text: string) => name.safeParse(text).error?.issues.map(({ message }) => message);

  test.each(JOINED)('a typed name keeps joined characters: «%s»', (text) => {
    expect(name.parse(text)).toBe(text);
    expect(name.parse(` ${text} `)).toBe(text);
  });

  test.each(NOTHING.map((text) => [escape(text), text]))(
    'a typed name without visible characters is missing: «%s»',
    (_, text) => {
      expect(listErrors(text)).toContain('Name it');
    },
  );

  test.each(['two\nlines', 'a\u0000b', 'a\tb', 'a\u0085b', 'a\u009Bb', 'a\u2028b', 'a\u2029b', 'a\u007Fb'])(
    'a typed name with a line break or control character is refused: %j',
    (text) => {
      expect(listErrors(text)).toEqual(['A name is one line of text']);
    },
  );

  test('a typed name loses its direction marks and nothing else', () => {
    for (const mark of '\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069')
      expect(name.parse(`Mi${mark}ra${mark}`)).toBe('Mira');
    expect(name.parse('\u202E שלום \u202C')).toBe('שלום');
    expect(name.parse(`${'\u200E'.repeat(30)}Mira`)).toBe('Mira');
  });

  test('a typed name keeps at most five combining marks on one letter', () => {
    expect(countStackedMarks(name.parse(`Z${'\u0301'.repeat(200)}`))).toBe(5);
  });

  test('a typed name has at most the allowed length and no half surrogate pair', () => {
    expect(name.parse('n'.repeat(20))).toHaveLength(20);
    expect(listErrors('n'.repeat(21))).toEqual(['Too long']);
    expect(listErrors('half \ud83d')).toEqual(['This text holds half a character']);
  });
});

describe('Names from files', () => {
  test('a name from a file becomes a name that could have been typed', () => {
    const typed = createNameSchema(200, { missing: 'Name it' });
    const heap = `Z${'\u0301\u200B'.repeat(200)}`;
    expect(countStackedMarks(toName(heap))).toBeLessThanOrEqual(5);
    for (const text of [
      heap,
      'two\r\nlines',
      '\u202Enik\u202C ',
      'a\u0000\u2028b',
      'half \ud83d',
      ...JOINED,
    ]) {
      const name = toName(text);
      expect(typed.parse(name)).toBe(name);
    }
    expect(toName('two\r\nlines')).toBe('two lines');
    expect(JOINED.map(toName)).toEqual(JOINED);
  });

  test.each(NOTHING.map((text) => [escape(text), text]))(
    'a name from a file without visible characters becomes empty: «%s»',
    (_, text) => {
      expect(toName(text)).toBe('');
    },
  );
});

test('a message keeps every character, and is refused when nothing in it is visible', () => {
  const text = createVisibleTextSchema(100, 'Write something');
  for (const content of ['\u202Eשלום\u202C', ' a\nb ', FAMILY]) expect(text.parse(content)).toBe(content);
  for (const content of NOTHING) expect(text.safeParse(content).success).toBe(false);
});

function escape(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^\x20-\x7E]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
