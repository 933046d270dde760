import { describe, expect, test } from 'vitest';
import { DEFAULT_REPLY_STYLE } from '../../../../src/features/reply-style/reply-style.ts';
import { parseStyleFile, serializeStyleFile } from '../../../../src/features/reply-style/style-file.ts';

const NOIR = {
  name: 'Noir “दो”',
  author_note: 'It rains.\n\tAlways.',
  author_note_depth: 4,
  reply_length: 120,
  liveliness: 1.25,
} as const;
const HEAD = { spec: 'loreloom_reply_style', spec_version: '1.0' };
const parse = (value: unknown) => parseStyleFile(JSON.stringify(value));

describe('Style files', () => {
  test('an exported style is read back with the same name and fields, and without its id', () => {
    const text = serializeStyleFile({ ...NOIR, id: 'abc' });
    expect(JSON.parse(text)).toEqual({ ...HEAD, ...NOIR });
    expect(parseStyleFile(text)).toEqual(NOIR);
  });

  test('fields that a file leaves out are the default ones, and unknown fields are ignored', () => {
    expect(parse({ ...HEAD, name: 'Noir', liveliness: 'calm', spec_version: '1.7', mood: 'dark' })).toEqual({
      ...DEFAULT_REPLY_STYLE,
      name: 'Noir',
      liveliness: 'calm',
    });
  });

  test.each([
    ['no JSON', '{"spec": "loreloom_reply_style"'],
    ['an empty file', ''],
    ['null', 'null'],
    ['a list', JSON.stringify([{ ...HEAD, ...NOIR }])],
    ['a character card', JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'x' } })],
    ['no version', JSON.stringify({ spec: HEAD.spec, ...NOIR })],
    ['a later major version', JSON.stringify({ ...HEAD, ...NOIR, spec_version: '2.0' })],
    ['no name', JSON.stringify({ ...HEAD, author_note: 'x' })],
    ['a name that is no text', JSON.stringify({ ...HEAD, ...NOIR, name: 7 })],
    ['a note that is no text', JSON.stringify({ ...HEAD, ...NOIR, author_note: { text: 'x' } })],
    ['a length that is null', JSON.stringify({ ...HEAD, ...NOIR, reply_length: null })],
  ])('a file with %s is not a style', (_, text) => {
    expect(parseStyleFile(text)).toBeNull();
  });
});
