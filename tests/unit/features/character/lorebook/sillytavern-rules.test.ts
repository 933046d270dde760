import { describe, expect, test } from 'vitest';
import {
  findActiveEntries,
  indexLore,
} from '../../../../../src/features/character/lorebook/lore-activation.ts';
import { readLorebook } from '../../../../../src/features/character/lorebook/lorebook.ts';
import { book, type EntryFields, listActiveTexts } from '../../../../support/lorebooks.ts';

/** An entry as SillyTavern writes it into a card: `use_regex` is true for any keys. */
const tavernEntry = (keys: string[], extensions: object = {}, fields: EntryFields = {}): EntryFields => ({
  keys,
  content: 'Lore.',
  use_regex: true,
  selective: true,
  secondary_keys: [],
  constant: false,
  position: 'before_char',
  extensions: { position: 0, selectiveLogic: 0, probability: 100, useProbability: true, ...extensions },
  ...fields,
});

describe('Lorebooks of SillyTavern', () => {
  const isActive = (entryFields: EntryFields, ...story: string[]) =>
    listActiveTexts(book([entryFields]), story).length === 1;

  test.each([
    ['Mr. Hale', 'I met Mr. Hale.', 'I met Mr Hales.'],
    ['C++', 'She writes C++!', 'Vitamin C and a plus.'],
    ['.NET', 'It runs on .NET.', 'A net of rope.'],
    ['AC/DC', 'They play AC/DC.', 'They play AC and then DC.'],
    ['who?', 'Who? Me?', 'Who knows.'],
    ['(old) tower', 'At the (old) tower.', 'At the old tower.'],
    ['„Halle“', 'In "Halle" dort.', 'In Halle dort.'],
    ['何？', '「何?」', '何か'],
  ])('the plain key %s is found with its signs, also under `use_regex`', (key, within, without) => {
    expect(isActive(tavernEntry([key]), within)).toBe(true);
    expect(isActive(tavernEntry([key]), without)).toBe(false);
    expect(isActive(tavernEntry([key], { case_sensitive: true }), within)).toBe(key !== 'who?');
  });

  test.each([
    ['/wol(f|ves)/i', 'WOLVES!', true],
    ['/wol(f|ves)/', 'WOLVES!', false],
    [String.raw`/\bcat\b/`, 'A category.', false],
    [String.raw`/\bcat\b/`, 'A cat.', true],
    ['/^The/m', 'Once.\nThe end.', true],
    ['/{{char}}|she/', 'Here is Mira.', true],
    ['/(?=a)a/', 'a', false],
    ['/(a+)+$/', `${'a'.repeat(5000)}!`, false],
    ['har.*', 'The harbour.', false],
    ['har.*', 'The har.* thing.', true],
    ['/usr/bin', 'It lies in /usr/bin.', true],
    ['/usr/bin/', 'It lies in /usr/bin/.', true],
    ['//', 'anything', false],
  ])('the key %s in "%s" is a pattern only between slashes', (key, story, expected) => {
    expect(isActive(tavernEntry([key]), story)).toBe(expected);
    expect(isActive({ ...tavernEntry([key]), use_regex: false }, story)).toBe(expected);
  });

  test.each([
    ['AND ANY', 0, [false, true, true, false]],
    ['NOT ALL', 1, [true, true, false, false]],
    ['NOT ANY', 2, [true, false, false, false]],
    ['AND ALL', 3, [false, false, true, false]],
  ])('`selectiveLogic` %s decides by the second keys', (_, selectiveLogic, expected) => {
    const entryFields = tavernEntry(['river'], { selectiveLogic }, { secondary_keys: ['boat', 'ferry'] });
    const stories = ['The river.', 'A river boat.', 'A river boat, a ferry.', 'A boat.'];
    expect(stories.map((story) => isActive(entryFields, story))).toEqual(expected);
    expect(isActive({ ...entryFields, selective: false }, 'The river, a boat.')).toBe(true);
    expect(isActive({ ...entryFields, secondary_keys: [] }, 'The river, a boat.')).toBe(true);
  });

  test('a second key that can never be found counts as absent', () => {
    const withLogic = (selectiveLogic: number) =>
      tavernEntry(['river'], { selectiveLogic }, { secondary_keys: ['boat', '/(?=x)/'] });
    expect(isActive(withLogic(3), 'A river boat.')).toBe(false);
    expect(isActive(withLogic(1), 'A river boat.')).toBe(true);
  });

  test.each([
    ['moon', 'In the moonlight.'],
    ['маяк', 'У маяка.'],
    ['wol', 'Two wolves.'],
    ['f', 'off'],
    ['WOLVES OF', 'The wolves of the north.'],
  ])('the key %s matches within words where `match_whole_words` is false', (key, story) => {
    expect(isActive(tavernEntry([key], { match_whole_words: false }), story)).toBe(true);
    expect(isActive(tavernEntry([key], { match_whole_words: false }), 'Nichts.')).toBe(false);
    expect(isActive(tavernEntry([key], { match_whole_words: null }), story)).toBe(key.includes(' '));
  });

  test('`case_sensitive` of the extensions compares letter for letter, with whole words or parts', () => {
    for (const match_whole_words of [true, false]) {
      const exact = tavernEntry(['Rose'], { case_sensitive: true, match_whole_words });
      expect([isActive(exact, 'a rose'), isActive(exact, 'a Rose')]).toEqual([false, true]);
      const own = tavernEntry(
        ['Rose'],
        { case_sensitive: true, match_whole_words },
        { case_sensitive: false },
      );
      expect(isActive(own, 'a rose')).toBe(true);
    }
  });

  test('the scan depth and the position of the extensions count before those of the book and the card', () => {
    const story = ['One.', 'Two.', 'The harbour.'];
    expect(isActive(tavernEntry(['harbour'], { scan_depth: 2 }), ...story)).toBe(false);
    expect(isActive(tavernEntry(['harbour'], { scan_depth: 3 }), ...story)).toBe(true);
    expect(isActive(tavernEntry(['harbour'], { scan_depth: null }), ...story)).toBe(true);
    const positions = [0, 1, 4, undefined].map(
      (position) => readLorebook(book([tavernEntry(['x'], { position })])).entries[0]?.position,
    );
    expect(positions).toEqual(['before', 'after', 'after', 'before']);
  });

  test('the extensions say which entries take part in the recursion', () => {
    const chain = (first: object, second: object) =>
      listActiveTexts(
        book(
          [
            tavernEntry(['sea'], first, { content: 'The harbour.' }),
            tavernEntry(['harbour'], second, { content: 'It froze.' }),
          ],
          { recursive_scanning: true },
        ),
        ['The sea.'],
      );
    expect(chain({}, {})).toEqual(['The harbour.', 'It froze.']);
    expect(chain({ prevent_recursion: true }, {})).toEqual(['The harbour.']);
    expect(chain({}, { exclude_recursion: true })).toEqual(['The harbour.']);
    expect(chain({}, { delay_until_recursion: true })).toEqual(['The harbour.', 'It froze.']);
    expect(chain({ delay_until_recursion: 1 }, {})).toEqual([]);
  });

  describe('with a probability', () => {
    /** In which of these conversations the entry is active. */
    const listActive = (entryFields: EntryFields, stories: { id: string | null; text: string }[][]) => {
      const fill = (text: string) => text;
      const index = indexLore(readLorebook(book([entryFields])), { fill, fillScanned: fill });
      return stories.map((story) => findActiveEntries(index, story).length === 1);
    };
    const messages = Array.from({ length: 2000 }, (_, number) => ({ id: `m${number}`, text: 'The sea.' }));

    test('an entry is active in about that share of the messages, and always in the same ones', () => {
      const rare = tavernEntry(['sea'], { probability: 25 });
      const stories = messages.map((message) => [message]);
      const first = listActive(rare, stories);
      expect(first.filter(Boolean).length).toBeGreaterThan(400);
      expect(first.filter(Boolean).length).toBeLessThan(600);
      expect(listActive(rare, stories)).toEqual(first);
      const always = listActive({ ...rare, keys: [], constant: true }, stories);
      expect(always.filter(Boolean).length).toBeGreaterThan(400);
      expect(always.filter(Boolean).length).toBeLessThan(600);
    });

    test('a message that activates an entry does so as long as it is scanned, whatever comes after it', () => {
      const rare = tavernEntry(['sea'], { probability: 50, scan_depth: 3 });
      const later = [
        { id: 'x1', text: 'No.' },
        { id: 'x2', text: 'Nor here.' },
        { id: 'x3', text: 'Never.' },
      ];
      const stories = [0, 1, 2, 3].map((count) =>
        messages.slice(0, 50).map((message) => [...later.slice(0, count), message]),
      );
      const [now, next, last, gone] = stories.map((list) => listActive(rare, list));
      expect(next).toEqual(now);
      expect(last).toEqual(now);
      expect(gone).not.toContain(true);
    });

    test('0 never activates an entry, 100 and a switched off probability always do', () => {
      const [message] = messages.map((one) => [one]);
      const isTold = (extensions: object) => listActive(tavernEntry(['sea'], extensions), [message ?? []]);
      expect(isTold({ probability: 0 })).toEqual([false]);
      expect(isTold({ probability: 100 })).toEqual([true]);
      expect(isTold({ probability: 0, useProbability: false })).toEqual([true]);
    });

    test('a message without an id activates every entry whose keys it has', () => {
      expect(listActive(tavernEntry(['sea'], { probability: 1 }), [[{ id: null, text: 'sea' }]])).toEqual([
        true,
      ]);
    });
  });

  test('all patterns of a lorebook share a limited number of steps', () => {
    const slow = Array.from({ length: 200 }, (_, index) => tavernEntry([`/(a|b|ab)*${index}c/`]));
    const before = performance.now();
    listActiveTexts(
      book(slow, { scan_depth: 50 }),
      Array.from({ length: 10 }, () => 'ab'.repeat(5000)),
    );
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
