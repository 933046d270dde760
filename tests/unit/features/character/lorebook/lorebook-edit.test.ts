import { describe, expect, test } from 'vitest';
import { CARD as CARD_LIMITS } from '../../../../../src/features/character/limits.ts';
import {
  toEntryView,
  searchEntries,
  getInactiveReason,
  updateEntry,
} from '../../../../../src/features/character/lorebook/lorebook-edit.ts';
import { readLorebook } from '../../../../../src/features/character/lorebook/lorebook.ts';
import {
  type EditableLorebook,
  countBookBytes,
  countBookChars,
  findLorebookProblems,
} from '../../../../../src/features/character/lorebook/lorebook-rules.ts';
import { EMPTY_FIELDS, fitsDeviceStorage } from '../../../../../src/islands/character-form/form-rules.ts';
import { createCharacterForm } from '../../../../../src/islands/character-form/form-state.ts';
import { createSavedDrafts } from '../../../../../src/islands/character-form/saved-drafts.ts';
import {
  createLorebookStore,
  ENTRIES_PER_PAGE,
  getVisibleEntries,
} from '../../../../../src/islands/character-form/lorebook/lorebook-state.ts';
import { NETWORK_FAILURE, type Failure } from '../../../../../src/islands/shared/api.ts';
import type { CreateCharacterBody, OwnCharacter } from '../../../../../src/features/character/contract.ts';
import { CARD, CARD_DEFINITION, CARD_EXTRAS, toOwnCharacter, WREN } from '../../../../support/form-fields.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const entry = (content: string, more: Record<string, unknown> = {}) => ({ keys: ['sea'], content, ...more });
const numbered = (count: number): EditableLorebook => ({
  entries: Array.from({ length: count }, (_, index) => entry(`Text ${index}.`, { name: `Place ${index}` })),
});

/** An entry as other programs write it: harmless, but not in the form that the format prescribes. */
const ODD = {
  keys: ['sea', ''],
  content: 'Deep.',
  insertion_order: '7',
  position: 0,
  comment: 'The sea',
  extensions: { depth: 4, inner: { kept: [1] } },
  probability: '100',
};

describe('Foreign lorebook entries', () => {
  test('an entry of another program is shown as it works, and only edited fields change', () => {
    expect(toEntryView(ODD)).toMatchObject({
      name: 'The sea',
      keys: ['sea'],
      on: true,
      order: 7,
      position: 'after',
      caseSensitive: false,
    });
    expect(readLorebook({ entries: [ODD] }).entries[0]).toMatchObject({
      name: 'The sea',
      order: 7,
      position: 'after',
    });
    expect(updateEntry(ODD, { content: 'Deeper.' })).toEqual({ ...ODD, content: 'Deeper.' });
    expect(updateEntry(ODD, { order: 7, keys: ['sea'], position: 'after' })).toEqual(ODD);
    expect(updateEntry(ODD, { name: 'Sea', position: 'before', on: false })).toEqual({
      ...ODD,
      comment: 'Sea',
      position: 'before_char',
      enabled: false,
    });
  });

  test('rules of SillyTavern are shown, edited in its extensions and kept beside its other fields', () => {
    const extensions = {
      position: 0,
      selectiveLogic: 2,
      probability: 40,
      useProbability: true,
      match_whole_words: null,
      case_sensitive: null,
      scan_depth: null,
      sticky: 3,
    };
    const tavern = entry('Deep.', { selective: true, secondary_keys: ['boat'], use_regex: true, extensions });
    expect(toEntryView(tavern)).toMatchObject({
      logic: 'notAny',
      probability: 40,
      wholeWords: true,
      caseSensitive: false,
      scanDepth: null,
      position: 'before',
      unusablePattern: null,
    });
    expect(updateEntry(tavern, { logic: 'notAny', probability: 40, scanDepth: null })).toEqual(tavern);
    const changed = updateEntry(tavern, {
      logic: 'notAll',
      probability: 5,
      wholeWords: false,
      scanDepth: 7,
      position: 'after',
    });
    expect(changed).toEqual({
      ...tavern,
      position: 'after_char',
      extensions: {
        ...extensions,
        selectiveLogic: 1,
        probability: 5,
        match_whole_words: false,
        scan_depth: 7,
        position: 1,
      },
    });
    expect(readLorebook({ entries: [changed] }).entries[0]).toMatchObject({
      secondary: { logic: 'notAll', keys: ['boat'] },
      probability: 5,
      wholeWords: false,
      scanDepth: 7,
      position: 'after',
    });
    const exact = updateEntry({ ...tavern, extensions: { case_sensitive: false } }, { caseSensitive: true });
    expect(exact).toMatchObject({ case_sensitive: true, extensions: { case_sensitive: true } });
  });

  test('a key between slashes that is never run is named', () => {
    const view = toEntryView(entry('x', { keys: ['sea', '/wol(f|ves)/i', '/(?<=a)b/', '/(/'] }));
    expect(view?.unusablePattern).toBe('/(?<=a)b/');
  });

  test('an inactive entry states its reason', () => {
    const why = (fields: Record<string, unknown>) => getInactiveReason(toEntryView(fields) as never);
    expect(why(entry('x', { enabled: false }))).toBe('off');
    expect(why(entry(' '))).toBe('empty');
    expect(why({ content: 'x' })).toBe('keyless');
    expect(why({ content: 'x', constant: true })).toBeNull();
    expect(why(entry('x', { extensions: { probability: 0 } }))).toBe('off');
    expect(toEntryView('no entry')).toBeNull();
  });
});

describe('Lorebook limits', () => {
  const { maxContentChars: chars, maxKeys, maxKeyChars } = CARD_LIMITS.lorebook;

  test('each problem names its entry and limit', () => {
    const book = {
      name: 'n'.repeat(maxKeyChars + 1),
      entries: [
        entry('x'.repeat(chars)),
        entry('x'.repeat(chars + 1)),
        entry('x', { keys: ['k'.repeat(maxKeyChars + 1)] }),
        entry('x', { secondary_keys: Array.from({ length: maxKeys + 1 }, () => 'k') }),
        'no entry',
      ],
    };
    expect(findLorebookProblems(book, null)).toEqual([
      { entry: null, code: 'name' },
      { entry: 1, code: 'text' },
      { entry: 2, code: 'key' },
      { entry: 3, code: 'keys' },
    ]);
    // Text above the limit may be kept or moved, but not added.
    const moved = { entries: [...book.entries.slice(2), entry('y'.repeat(chars + 1)), book.entries[1]] };
    expect(findLorebookProblems(moved, book)).toEqual([{ entry: 3, code: 'text' }]);
  });

  test('the size of a lorebook is counted in bytes as sent', () => {
    const book = { name: 'Küste', entries: [entry('海'), ODD, null] };
    expect(countBookBytes(book)).toBe(new TextEncoder().encode(JSON.stringify(book)).length);
    expect(countBookChars(book)).toBe(JSON.stringify(book).length);
    const large = { entries: Array.from({ length: 40 }, () => entry('x'.repeat(15_000))) };
    expect(findLorebookProblems(large, large)).toEqual([{ entry: null, code: 'bytes' }]);
    expect(findLorebookProblems(numbered(CARD_LIMITS.lorebook.maxEntries + 1), null)).toEqual([
      { entry: null, code: 'entries' },
    ]);
  });
});

/** A form that contains a new character with this lorebook. */
async function openFormWith(lorebook: EditableLorebook | null, storage = new Map<string, string>()) {
  const sent: CreateCharacterBody[] = [];
  const changes: Record<string, unknown>[] = [];
  const next: Failure[] = [];
  let created: OwnCharacter | null = null;
  const form = createCharacterForm({
    api: {
      create: async (body: CreateCharacterBody) => {
        sent.push(body);
        const { nickname, lorebook: book } = body;
        const ofCard =
          body.import_id === undefined ? { ...CARD_EXTRAS, nickname: null, lorebook: null } : CARD_EXTRAS;
        const provided = Object.entries({ nickname, lorebook: book }).filter(([, one]) => one !== undefined);
        const { import_id: _, ...fields } = body;
        created = {
          ...toOwnCharacter(WREN),
          ...fields,
          definition: body.import_id === undefined ? EMPTY_FIELDS.definition : CARD_DEFINITION,
          extras: { ...ofCard, ...Object.fromEntries(provided) },
        } as OwnCharacter;
        return { ok: true, data: created };
      },
      change: async (_id: string, change: Record<string, unknown>) => {
        changes.push(change);
        return { ok: true, data: created as unknown as OwnCharacter };
      },
      cardExtras: async () =>
        next.shift() ?? {
          ok: true,
          data: { extras: CARD_EXTRAS, definition: CARD_DEFINITION },
        },
    } as never,
    drafts: createSavedDrafts({
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    }),
    clock: createFakeClock(),
    signIn: async () => null,
    newKey: () => 'key',
    onCreated: () => {},
  });
  await form.open('ana', null);
  if (lorebook !== null) form.write({ ...WREN, lorebook });
  const lore = createLorebookStore(form);
  const book = () => form.$form.get().fields.lorebook as EditableLorebook;
  return { form, lore, book, storage, sent, changes, next, view: () => lore.$view.get() };
}

describe('Lorebook entries', () => {
  test('entries can be added, copied and removed with undo, and the page follows', async () => {
    const { lore, book, view } = await openFormWith(numbered(ENTRIES_PER_PAGE));
    expect(lore.addEntry()).toBe(ENTRIES_PER_PAGE);
    expect(view()).toMatchObject({ open: true, page: 1, entry: ENTRIES_PER_PAGE });
    lore.updateEntry(ENTRIES_PER_PAGE, { name: 'New', keys: ['tide'] });
    expect(book().entries[ENTRIES_PER_PAGE]).toMatchObject({ name: 'New', keys: ['tide'], enabled: true });
    const undo = lore.removeEntry(ENTRIES_PER_PAGE);
    expect(view()).toMatchObject({ entry: null });
    expect(getVisibleEntries(book(), view())).toMatchObject({ page: 0, pages: 1, found: ENTRIES_PER_PAGE });
    lore.removeEntry(0);
    undo();
    expect(book().entries.at(-1)).toMatchObject({ name: 'New' });
    lore.updateLorebook('entries', [{ id: 3, ...entry('One.') }]);
    expect(lore.duplicateEntry(0)).toBe(1);
    expect(book().entries).toEqual([{ id: 3, ...entry('One.') }, entry('One.')]);
    lore.removeEntry(1);
    const last = lore.removeEntry(0);
    last();
    expect(book().entries).toHaveLength(1);
  });

  test('entries are found by all words of a search and keep their position', async () => {
    const { lore, book, view } = await openFormWith(numbered(120));
    expect(searchEntries(book(), 'PLACE 117')).toEqual([117]);
    lore.search('place 11');
    lore.revealEntry(117, 'x');
    expect(view()).toMatchObject({ query: 'place 11', page: 0, entry: 117, wanted: 'x' });
    lore.revealEntry(60, 'y');
    expect(view()).toMatchObject({ query: '', page: 1, entry: 60 });
  });

  test('an edited entry stays visible even when it no longer matches the search', async () => {
    const { lore, book, view } = await openFormWith(numbered(120));
    lore.search('place 11');
    lore.revealEntry(117, 'x');
    lore.updateEntry(117, { name: '', keys: [], content: 'Changed.' });
    expect(getVisibleEntries(book(), view()).places).toContain(117);
    lore.updateView({ entry: null });
    expect(getVisibleEntries(book(), view()).places).not.toContain(117);
  });

  test('the page is corrected when the lorebook becomes shorter', async () => {
    const { form, lore, book, view } = await openFormWith(numbered(ENTRIES_PER_PAGE * 3));
    lore.updateView({ page: 2 });
    form.write({ lorebook: numbered(3) });
    expect(getVisibleEntries(book(), view())).toEqual({ places: [0, 1, 2], found: 3, page: 0, pages: 1 });
  });

  test('changing one of the maximum number of entries does not copy or serialize the others', async () => {
    const { form, lore, book } = await openFormWith(numbered(CARD_LIMITS.lorebook.maxEntries));
    const [first] = book().entries;
    lore.updateEntry(4999, { content: 'Changed.' });
    expect(book().entries[0]).toBe(first);
    expect(lore.addEntry()).toBeNull();
    expect(form.isUnsaved()).toBe(true);
    let written = 0;
    const counted = { toJSON: () => (written += 1) };
    expect(fitsDeviceStorage({ entries: [counted] })).toBe(true);
    expect(fitsDeviceStorage({ entries: [counted, entry('New.')] })).toBe(true);
    expect(written).toBe(1);
  });
});

describe('Card extras', () => {
  const card = { draft: CARD, extras: CARD_EXTRAS, notes: [], import_id: 'i1' };
  const avatar = { avatar: WREN.avatar };

  test('only edited extras of a card are sent', async () => {
    const { form, lore, sent, changes } = await openFormWith(null);
    form.importCard(card);
    form.write(avatar);
    expect(form.$form.get().fields).toMatchObject({ nickname: 'Rob', lorebook: CARD_EXTRAS.lorebook });
    lore.updateEntry(0, { content: 'Deeper.' });
    form.write({ nickname: '' });
    await form.save();
    expect(sent[0]).toMatchObject({
      nickname: null,
      lorebook: { entries: [{ keys: ['sea'], content: 'Deeper.', odd: [1] }], odd: true },
    });
    expect(sent[0]).not.toHaveProperty('definition');
    expect(changes).toEqual([]);
  });

  test('undoing a removal does not add entries to the lorebook of another card', async () => {
    const { form, lore, book } = await openFormWith(numbered(2));
    const undo = lore.removeEntry(0);
    form.importCard(card);
    undo();
    expect(book()).toEqual(CARD_EXTRAS.lorebook);
  });

  test('edited extras are restored from the device, and unedited ones from the server', async () => {
    const storage = new Map<string, string>();
    const first = await openFormWith(null, storage);
    first.form.importCard(card);
    expect([...storage.values()].join()).not.toContain('Deep.');
    const second = await openFormWith(null, storage);
    expect(second.book()).toEqual(CARD_EXTRAS.lorebook);
    second.lore.updateEntry(0, { content: 'Deeper.' });
    second.form.saveDraftNow();
    const third = await openFormWith(null, storage);
    expect(third.book().entries).toMatchObject([{ content: 'Deeper.' }]);
    third.lore.removeEntry(0);
    third.form.saveDraftNow();
    const fourth = await openFormWith(null, storage);
    expect(fourth.book().entries).toEqual([]);
    fourth.form.write(avatar);
    await fourth.form.save();
    expect(fourth.sent[0]).toMatchObject({ lorebook: null });
  });

  test('the form reports a card that is no longer stored and keeps the written text', async () => {
    const storage = new Map<string, string>();
    const first = await openFormWith(null, storage);
    first.form.importCard(card);
    first.form.write({ name: 'Robin Two' });
    first.form.saveDraftNow();
    const second = await openFormWith(null, storage);
    second.next.push({ ok: false, status: 404, code: 'not_found', error: '' });
    await second.form.open('ana', null);
    expect(second.form.$form.get()).toMatchObject({
      trouble: { what: 'card_lost' },
      importId: null,
      fields: { name: 'Robin Two' },
    });
    second.next.push(NETWORK_FAILURE);
    const third = await openFormWith(null, storage);
    third.form.importCard(card);
    third.next.push(NETWORK_FAILURE);
    await third.form.open('ana', null);
    expect(third.form.$form.get().status).toBe('failed');
  });

  test('a lorebook too large for the device is left out of the draft and sent after the character', async () => {
    const storage = new Map<string, string>();
    const large = { entries: Array.from({ length: 20 }, () => entry('x'.repeat(15_000))) };
    const { form, sent, changes } = await openFormWith(large, storage);
    form.saveDraftNow();
    const stored = [...storage.values()].join();
    expect(stored).toContain('Wren');
    expect(stored.length).toBeLessThan(10_000);
    await form.save();
    expect(sent[0]).not.toHaveProperty('lorebook');
    expect(changes).toEqual([{ lorebook: large }]);
  });
});
