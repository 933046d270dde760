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

describe('Whether there is anything to see', () => {
  test.each(NOTHING.map((text) => [escape(text), text]))('not in «%s»', (_, text) => {
    expect(hasVisibleText(text)).toBe(false);
  });

  test.each([...JOINED, 'a', '.', '0', '水', 'שלום', '\u200Bx', '*', '\u0301'])('in «%s»', (text) => {
    expect(hasVisibleText(text)).toBe(true);
  });
});

/** How many marks are heaped on one letter at most. */
const heaped = (text: string) => Math.max(0, ...Array.from(text.matchAll(/\p{M}+/gu), ([run]) => run.length));

describe('What is drawn of a text that somebody wrote', () => {
  test.each(JOINED)('is all of «%s»', (text) => {
    expect(sanitizeText(text)).toBe(text);
  });

  test('stays in its lines and leaves the order of what stands beside it', () => {
    expect(heaped(sanitizeText(`Z${'\u0301'.repeat(200)}`))).toBe(5);
    expect(sanitizeText('\u202Eevil\u202C \u2067left open')).toBe('evil left open');
    expect(sanitizeText(`a${'\u200B'.repeat(300)}b`)).toBe('a\u200Bb');
    expect(sanitizeText('a\r\nb\u0000')).toBe('a\nb');
  });
});

describe('A name that I type', () => {
  const name = createNameSchema(20, { missing: 'Name it', tooLong: 'Too long' });
  const trouble = (text: string) => name.safeParse(text).error?.issues.map(({ message }) => message);

  test.each(JOINED)('is kept as it is: «%s»', (text) => {
    expect(name.parse(text)).toBe(text);
    expect(name.parse(` ${text} `)).toBe(text);
  });

  test.each(NOTHING.map((text) => [escape(text), text]))('is none when it is «%s»', (_, text) => {
    expect(trouble(text)).toContain('Name it');
  });

  test.each(['two\nlines', 'a\u0000b', 'a\tb', 'a\u0085b', 'a\u009Bb', 'a\u2028b', 'a\u2029b', 'a\u007Fb'])(
    'is one line, without characters of control: %j',
    (text) => {
      expect(trouble(text)).toEqual(['A name is one line of text']);
    },
  );

  test('loses what would turn around the text beside it, and nothing else', () => {
    for (const mark of '\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069')
      expect(name.parse(`Mi${mark}ra${mark}`)).toBe('Mira');
    expect(name.parse('\u202E שלום \u202C')).toBe('שלום');
    expect(name.parse(`${'\u200E'.repeat(30)}Mira`)).toBe('Mira');
  });

  test('keeps no heap of marks that would cover the lines around it', () => {
    expect(heaped(name.parse(`Z${'\u0301'.repeat(200)}`))).toBe(5);
  });

  test('is as long as it may be, and whole', () => {
    expect(name.parse('n'.repeat(20))).toHaveLength(20);
    expect(trouble('n'.repeat(21))).toEqual(['Too long']);
    expect(trouble('half \ud83d')).toEqual(['This text holds half a character']);
  });
});

describe('A name from a file', () => {
  test('becomes one that I could have typed', () => {
    const typed = createNameSchema(200, { missing: 'Name it' });
    const heap = `Z${'\u0301\u200B'.repeat(200)}`;
    expect(heaped(toName(heap))).toBeLessThanOrEqual(5);
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

  test.each(NOTHING.map((text) => [escape(text), text]))('is none when it is «%s»', (_, text) => {
    expect(toName(text)).toBe('');
  });
});

test('What I write in a message keeps every character, and has to show something', () => {
  const text = createVisibleTextSchema(100, 'Write something');
  for (const said of ['\u202Eשלום\u202C', ' a\nb ', FAMILY]) expect(text.parse(said)).toBe(said);
  for (const said of NOTHING) expect(text.safeParse(said).success).toBe(false);
});

function escape(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^\x20-\x7E]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
