import fc from 'fast-check';
import { atom } from 'nanostores';
import { describe, expect, test } from 'vitest';
import { CARD } from '../../../../../src/features/character/limits.ts';
import {
  readLorebookFile,
  detectLorebook,
} from '../../../../../src/features/character/lorebook/lorebook-file.ts';
import { readLorebook } from '../../../../../src/features/character/lorebook/lorebook.ts';
import type { EditableLorebook } from '../../../../../src/features/character/lorebook/lorebook-rules.ts';
import type { FormState } from '../../../../../src/islands/character-form/form-state.ts';
import { createLorebookStore } from '../../../../../src/islands/character-form/lorebook/lorebook-state.ts';
import { readChosenLorebook } from '../../../../../src/islands/character-form/lorebook/lorebook-file-reader.ts';

/** A world as SillyTavern saves it. */
const WORLD = {
  entries: {
    0: {
      uid: 0,
      key: ['lamp', '/wol(f|ves)/i'],
      keysecondary: ['oil'],
      comment: 'The lamp',
      content: 'The lamp burns oil.',
      constant: false,
      vectorized: false,
      selective: true,
      selectiveLogic: 3,
      order: 100,
      position: 0,
      disable: false,
      excludeRecursion: true,
      preventRecursion: false,
      probability: 30,
      useProbability: true,
      depth: 4,
      scanDepth: 7,
      caseSensitive: true,
      matchWholeWords: false,
      sticky: 2,
      displayIndex: 0,
    },
    1: { uid: 1, key: ['sea'], content: 'Deep.', disable: true, position: 4 },
  },
};
const CHUB = {
  name: 'World',
  description: 'A world.',
  scan_depth: 2,
  extensions: { chub: { id: 1 } },
  odd: true,
  entries: [{ keys: ['lamp'], content: 'Oil.', extensions: {}, enabled: true, insertion_order: 1, odd: 2 }],
};
const AGNAI = {
  kind: 'memory',
  name: 'World',
  description: '',
  entries: [
    { name: 'The lamp', keywords: ['lamp'], entry: 'Oil.', priority: 3, weight: 5, enabled: true },
    { name: 'Off', keywords: ['sea'], entry: 'Deep.', priority: 0, weight: 0, enabled: false },
  ],
};
const NOVEL = {
  lorebookVersion: 4,
  entries: [
    {
      text: 'The lamp burns oil.',
      displayName: 'The lamp',
      id: 'x',
      keys: ['lamp', '/wol(f|ves)/i'],
      searchRange: 1000,
      enabled: true,
      forceActivation: true,
      contextConfig: { budgetPriority: 400 },
    },
  ],
  settings: { orderByKeyLocations: false },
};
const RISU = {
  type: 'risu',
  ver: 1,
  data: [
    {
      key: 'lamp, light',
      secondkey: 'oil',
      insertorder: 100,
      comment: 'The lamp',
      content: 'Oil.',
      mode: 'normal',
      alwaysActive: false,
      selective: true,
      activationPercent: 50,
    },
    { key: 'wol(f|ves)', secondkey: '', insertorder: 1, comment: '', content: 'Wolves.', useRegex: true },
  ],
};

describe('Lorebook files', () => {
  test.each([
    ['lorebook_v3', { spec: 'lorebook_v3', data: CHUB }],
    ['book', CHUB],
    ['book', { name: 'Empty', description: 'x', entries: [] }],
    ['sillytavern', WORLD],
    ['sillytavern', { entries: Object.values(WORLD.entries) }],
    ['agnai', AGNAI],
    ['agnai', { entries: AGNAI.entries }],
    ['novelai', NOVEL],
    ['risu', RISU],
    [null, { spec: 'chara_card_v2', data: { name: 'Mara', character_book: CHUB } }],
    [null, { name: 'Mara', description: 'A keeper.', personality: '', entries: [] }],
    [null, { name: 'Mara', first_mes: 'Hello.', entries: { 0: {} } }],
    [null, { entries: 'x' }],
    [null, { spec: 'lorebook_v3' }],
    [null, [CHUB]],
    [null, null],
  ])('a file is recognized by its form as %s', (format, file) => {
    expect(detectLorebook(file)).toBe(format);
  });

  test('a world of SillyTavern becomes the book that SillyTavern would put into a card', () => {
    const book = readLorebookFile(WORLD, 'Lighthouse');
    expect(book).toMatchObject({ name: 'Lighthouse', extensions: {} });
    expect(book?.entries[0]).toEqual({
      id: 0,
      keys: ['lamp', '/wol(f|ves)/i'],
      secondary_keys: ['oil'],
      comment: 'The lamp',
      content: 'The lamp burns oil.',
      constant: false,
      selective: true,
      insertion_order: 100,
      enabled: true,
      position: 'before_char',
      use_regex: true,
      extensions: {
        position: 0,
        vectorized: false,
        selectiveLogic: 3,
        exclude_recursion: true,
        prevent_recursion: false,
        probability: 30,
        useProbability: true,
        depth: 4,
        scan_depth: 7,
        case_sensitive: true,
        match_whole_words: false,
        sticky: 2,
        display_index: 0,
      },
    });
    expect(readLorebook(book).entries).toMatchObject([
      {
        name: 'The lamp',
        keys: ['lamp', '/wol(f|ves)/i'],
        secondary: { logic: 'all', keys: ['oil'] },
        probability: 30,
        scanDepth: 7,
        caseSensitive: true,
        wholeWords: false,
        position: 'before',
        recursion: { isExcluded: true, isLast: false, isDelayed: false },
      },
    ]);
    expect(book?.entries[1]).toMatchObject({ enabled: false, position: 'after_char', use_regex: false });
  });

  test('a book in the format of cards is taken as it is', () => {
    expect(readLorebookFile(CHUB, 'file')).toEqual(CHUB);
    expect(readLorebookFile({ spec: 'lorebook_v3', data: CHUB }, 'file')).toEqual(CHUB);
    expect(readLorebookFile({ spec: 'lorebook_v3', data: {} }, 'file')).toEqual({
      name: 'file',
      extensions: {},
      entries: [],
    });
  });

  test.each([
    [
      'agnai',
      AGNAI,
      [{ name: 'The lamp', keys: ['lamp'], content: 'Oil.', order: 5, priority: 3, position: 'before' }],
    ],
    [
      'NovelAI',
      NOVEL,
      [{ name: 'The lamp', keys: ['lamp', '/wol(f|ves)/i'], constant: true, order: 400, position: 'before' }],
    ],
    [
      'RisuAI',
      RISU,
      [
        {
          name: 'The lamp',
          keys: ['lamp', 'light'],
          secondary: { logic: 'any', keys: ['oil'] },
          probability: 50,
          order: 100,
        },
        { keys: ['/wol(f|ves)/i'], content: 'Wolves.', order: 1 },
      ],
    ],
  ])('the entries of a lorebook of %s work as they did there', (_, file, expected) => {
    expect(readLorebook(readLorebookFile(file, 'x')).entries).toMatchObject(expected);
  });

  test('any JSON is read without an error, and no value of an entry is lost', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('kind', 'lorebookVersion', 'type', 'spec', 'name'),
        fc.constantFrom('memory', 4, 'risu', 'lorebook_v3', 'World'),
        fc.constantFrom('entries', 'data'),
        fc.oneof(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.jsonValue()),
        (field, value, list, entries) => {
          const book = readLorebookFile({ [field]: value, [list]: entries }, 'x');
          expect(book === null || Array.isArray(book.entries)).toBe(true);
          readLorebook(book);
        },
      ),
    );
    const unknown = { key: ['a'], content: 'x', futureField: { deep: [1] } };
    expect(readLorebookFile({ entries: { 7: unknown } }, 'x')?.entries[0]).toMatchObject({
      extensions: { futureField: { deep: [1] } },
    });
  });
});

describe('A lorebook file that the user chooses', () => {
  const choose = (text: string, more: object = {}) =>
    readChosenLorebook({ name: 'Old lighthouse.json', size: text.length, text: async () => text, ...more });

  test('a chosen lorebook file is read and named after the file', async () => {
    expect(await choose(JSON.stringify(WORLD))).toMatchObject({ ok: true, book: { name: 'Old lighthouse' } });
  });

  test.each([
    ['size', '{}', { size: CARD.maxJsonBytes + 1 }],
    ['unreadable', '{}', { text: () => Promise.reject(new DOMException('', 'NotReadableError')) }],
    ['json', '{', {}],
    ['character', JSON.stringify({ spec: 'chara_card_v2', data: {} }), {}],
    ['character', JSON.stringify({ kind: 'character', persona: {} }), {}],
    ['character', JSON.stringify({ name: 'Mara', first_mes: '' }), {}],
    ['unknown', '{}', {}],
    ['unknown', '7', {}],
  ])('a chosen lorebook file is refused with the reason "%s"', async (code, text, more) => {
    expect(await choose(text, more)).toEqual({ ok: false, code });
  });
});

const entry = (content: string, more: Record<string, unknown> = {}) => ({ keys: ['sea'], content, ...more });

/** The lorebook of an open form. */
function openLorebook(lorebook: EditableLorebook | null) {
  const $form = atom({ key: 'form', fields: { lorebook } } as unknown as FormState);
  const lore = createLorebookStore({
    $form,
    write: (fields) => $form.set({ ...$form.get(), fields: { ...$form.get().fields, ...fields } }),
  });
  return { lore, book: () => $form.get().fields.lorebook };
}

describe('Importing a lorebook file', () => {
  test('its entries are added, and undoing removes those that were not edited', () => {
    const { lore, book } = openLorebook(null);
    const first = lore.importLorebook({
      name: 'World',
      scan_depth: 2,
      entries: [{ id: 1, ...entry('One.') }],
    });
    expect(book()).toEqual({ name: 'World', scan_depth: 2, entries: [{ id: 1, ...entry('One.') }] });
    const second = lore.importLorebook({
      name: 'Other',
      entries: [{ id: 1, ...entry('Two.') }, 'odd', entry('Three.')],
    });
    expect(book()).toMatchObject({
      name: 'World',
      entries: [{ id: 1 }, entry('Two.'), 'odd', entry('Three.')],
    });
    expect(book()?.entries[1]).not.toHaveProperty('id');
    lore.updateEntry(3, { content: 'Changed.' });
    if (second.ok) second.undo();
    expect(book()?.entries).toEqual([{ id: 1, ...entry('One.') }, entry('Changed.')]);
    lore.removeEntry(1);
    if (first.ok) first.undo();
    expect(book()).toBeNull();
    expect([first.ok, second.ok]).toEqual([true, true]);
  });

  test('a file that is empty or exceeds a limit changes nothing', () => {
    const { lore, book } = openLorebook({ entries: [entry('One.'), entry('Two.'), entry('Three.')] });
    const before = book();
    const { maxEntries, maxBytes } = CARD.lorebook;
    expect(lore.importLorebook({ entries: [] })).toEqual({ ok: false, code: 'empty' });
    expect(
      lore.importLorebook({ entries: Array.from({ length: maxEntries - 2 }, () => entry('x')) }),
    ).toEqual({ ok: false, code: 'entries' });
    expect(lore.importLorebook({ entries: [entry('x'.repeat(maxBytes))] })).toEqual({
      ok: false,
      code: 'bytes',
    });
    const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) as unknown;
    expect(lore.importLorebook({ entries: [entry('x', { deep })] })).toEqual({ ok: false, code: 'depth' });
    expect(book()).toBe(before);
  });
});
