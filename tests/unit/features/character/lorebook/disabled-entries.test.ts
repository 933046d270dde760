import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  readLorebook,
  removeDisabledEntries,
} from '../../../../../src/features/character/lorebook/lorebook.ts';

const keepFor = (book: unknown): unknown => {
  const kept = removeDisabledEntries(JSON.stringify(book));
  return kept === null ? null : JSON.parse(kept);
};

test('others get a lorebook with its own fields and without its disabled entries', () => {
  const on = { keys: ['lamp'], content: 'It burns.', enabled: true, odd: [1] };
  const unsaid = { keys: ['sea'], content: 'It is cold.' };
  const book = { name: 'The coast', scan_depth: 5, extensions: { shelf: 'blue' } };
  const entries = [
    on,
    { ...on, enabled: false },
    { ...on, content: '@@dont_activate\nIt burns.' },
    'a text',
    unsaid,
  ];
  expect(keepFor({ ...book, entries })).toEqual({ ...book, entries: [on, unsaid] });
});

test.each([
  ['no entries', { name: 'The coast', entries: [] }],
  ['disabled entries alone', { name: 'The coast', entries: [{ content: 'Secret.', enabled: false }] }],
  ['entries that are no list', { name: 'The coast', entries: { 0: { content: 'Secret.', enabled: false } } }],
])('others get no lorebook that has %s', (_, book) => {
  expect(keepFor(book)).toBeNull();
});

test('others get no lorebook of a character without one', () => {
  expect(removeDisabledEntries(null)).toBeNull();
});

test('prompts read the same in a lorebook with and without its disabled entries', () => {
  const entry = fc.record({
    keys: fc.array(fc.constantFrom('lamp', 'sea', 'pier')),
    content: fc.constantFrom('It burns.', '@@dont_activate\nIt burns.', '@@depth 3\nIt is cold.', ''),
    enabled: fc.constantFrom(true, false, 'false', undefined),
    constant: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(entry, fc.constantFrom(null, 'a text', 7))), (entries) => {
      const book = { scan_depth: 5, recursive_scanning: true, entries };
      expect(readLorebook(keepFor(book)).entries).toEqual(
        readLorebook(JSON.parse(JSON.stringify(book))).entries,
      );
    }),
  );
});
