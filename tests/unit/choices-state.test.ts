import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AuthStatus } from '../../src/features/account/contract.ts';
import type { HiddenList } from '../../src/features/character/contract.ts';
import { NETWORK_FAILURE, type Failure, type Result } from '../../src/islands/shared/api.ts';
import {
  clearPendingAction,
  savePendingAction,
  readPendingAction,
} from '../../src/islands/saved-lists/pending-action.ts';
import type { SavedItem } from '../../src/islands/saved-lists/saved-lists-api.ts';
import {
  savedLists as pageChoices,
  createSavedLists,
  isSaved,
} from '../../src/islands/saved-lists/saved-lists-state.ts';
import {
  resumePendingAction,
  type ActionMessages,
} from '../../src/islands/saved-lists/saved-list-actions.ts';
import { isCachedHiddenEmpty, readCachedHidden } from '../../src/islands/saved-lists/cached-hidden.ts';
import { clearUserStorage } from '../../src/islands/shared/user-storage.ts';
import { $session } from '../../src/islands/shared/session-state.ts';
import { $toasts } from '../../src/islands/shared/toasts-state.ts';

const NOW = Date.UTC(2026, 0, 1);
const FULL: Failure = { ok: false, status: 409, code: 'favourite_limit', error: '' };
const WREN: SavedItem = { kind: 'favourite', id: 'wren', name: 'Wren' };
const ANIME: SavedItem = { kind: 'tag', id: 'anime', name: 'Anime' };
const MAKER: SavedItem = { kind: 'creator', id: 'maker', name: 'Maker' };

/** A browser's storage. */
function storageOf(entries: Record<string, string> = {}): Storage {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  } as Storage;
}

/** Somebody's page. Each call waits until it is answered. */
function page(hidden: HiddenList = { tags: [], creators: [] }, storage = storageOf()) {
  const asked: { what: string; answer: (failure?: Failure) => Promise<void> }[] = [];
  const call = (what: string) =>
    new Promise<Result<null>>((resolve) => {
      asked.push({
        what,
        answer: async (failure) => {
          resolve(failure ?? { ok: true, data: null });
          await new Promise((done) => setTimeout(done));
        },
      });
    });
  const api = {
    isChosen: vi.fn(async () => ({ ok: true as const, data: true })),
    hidden: vi.fn(async (): Promise<Result<HiddenList>> => ({ ok: true, data: hidden })),
    choose: (kind: string, id: string, on: boolean) => call(`${on ? 'put' : 'delete'} ${kind} ${id}`),
  };
  const choices = createSavedLists({ api, storage: () => storage, now: () => NOW });
  choices.setOwner('me');
  const is = (choice: SavedItem) => isSaved(choices.$state.get(), choice);
  const kept = () => readCachedHidden(storage, 'me');
  return { choices, asked, api, is, storage, kept };
}

describe('A favourite', () => {
  test('shows at once, and stays when it is saved', async () => {
    const { choices, asked, is } = page();
    const done = choices.choose(WREN, true);
    expect(is(WREN)).toBe(true);
    await asked[0]?.answer();
    expect(await done).toBeNull();
    expect({ is: is(WREN), asked: asked.map(({ what }) => what) }).toEqual({
      is: true,
      asked: ['put favourite wren'],
    });
  });

  test.each([
    ['there is no network', NETWORK_FAILURE],
    ['there is no room', FULL],
  ])('is as it was when %s', async (_, failure) => {
    const { choices, asked, is } = page();
    choices.markSaved('favourite', ['kept']);
    const [more, less] = [choices.choose(WREN, true), choices.choose({ ...WREN, id: 'kept' }, false)];
    for (const { answer } of asked) await answer(failure);
    expect([await more, await less]).toEqual([failure, failure]);
    expect([is(WREN), is({ ...WREN, id: 'kept' })]).toEqual([false, true]);
  });

  test('pressed several times while the first press is on its way becomes what was pressed last', async () => {
    const { choices, asked, is } = page();
    const presses = [true, false, true, false].map((on) => choices.choose(WREN, on));
    expect(is(WREN)).toBe(false);
    await asked[0]?.answer();
    await asked[1]?.answer();
    expect(await Promise.all(presses)).toEqual([null, null, null, null]);
    expect(asked.map(({ what }) => what)).toEqual(['put favourite wren', 'delete favourite wren']);
    expect(is(WREN)).toBe(false);
  });

  test('whose first press failed is told of no more when it was taken back meanwhile', async () => {
    const { choices, asked, is } = page();
    const presses = [choices.choose(WREN, true), choices.choose(WREN, false)];
    await asked[0]?.answer(NETWORK_FAILURE);
    expect(await Promise.all(presses)).toEqual([null, null]);
    expect({ is: is(WREN), calls: asked.length }).toEqual({ is: false, calls: 1 });
  });

  test('is asked for once, and a press counts for more than a late answer', async () => {
    const { choices, api, asked, is } = page();
    await choices.loadSaved('favourite', 'wren');
    await choices.loadSaved('favourite', 'wren');
    expect({ is: is(WREN), calls: api.isChosen.mock.calls.length }).toEqual({ is: true, calls: 1 });

    const asking = choices.loadSaved('favourite', 'late');
    void choices.choose({ ...WREN, id: 'late' }, false);
    await asking;
    expect(is({ ...WREN, id: 'late' })).toBe(false);
    expect(asked).toHaveLength(1);
  });

  test('of one account is not the next one’s', async () => {
    const { choices, asked, is } = page();
    void choices.choose(WREN, true);
    choices.setOwner('other');
    expect(is(WREN)).toBeUndefined();
    await asked[0]?.answer(FULL);
    expect(is(WREN)).toBeUndefined();
  });
});

describe('What I hide', () => {
  test('is kept on this device while it is on its way, and what the server refused is not', async () => {
    const { choices, asked, is, kept } = page({ tags: ['rpg'], creators: [] });
    await choices.loadHidden();
    const done = choices.choose(MAKER, true);
    expect(kept()).toEqual({ tags: ['rpg'], creators: [{ id: 'maker', name: 'Maker' }] });
    await asked[0]?.answer(FULL);
    await done;
    expect({ is: is(MAKER), kept: kept() }).toEqual({ is: false, kept: { tags: ['rpg'], creators: [] } });
  });

  test('is there from the start on the next page, for me alone, and goes when I log out', async () => {
    const { choices, asked, storage } = page();
    const done = choices.choose(ANIME, true);
    await asked[0]?.answer();
    await done;
    const [next, other] = [page(undefined, storage), page(undefined, storage)];
    expect(next.is(ANIME)).toBe(true);
    other.choices.setOwner('other');
    expect(other.is(ANIME)).toBeUndefined();
    clearUserStorage(storage);
    expect(storage.length).toBe(0);
  });

  test('follows the server, unless something was hidden since it was asked', async () => {
    const { choices, asked, api, is, kept } = page({ tags: ['rpg'], creators: [] });
    const loading = choices.loadHidden();
    void choices.choose(ANIME, true);
    await loading;
    expect(is(ANIME)).toBe(true);
    await asked[0]?.answer();
    api.hidden.mockResolvedValueOnce({ ok: true, data: { tags: [], creators: [] } });
    await choices.loadHidden();
    expect({ is: is(ANIME), kept: kept() }).toEqual({ is: false, kept: { tags: [], creators: [] } });
    api.hidden.mockResolvedValueOnce(NETWORK_FAILURE);
    await choices.loadHidden();
    expect(choices.$state.get()).toMatchObject({ hiddenFailed: true, hidden: { tags: [] } });
  });

  test('is not asked for again for an hour where it is nothing, by me alone', async () => {
    const nothing = page();
    const [hour, { storage }] = [60 * 60_000, nothing];
    expect(isCachedHiddenEmpty(storage, 'me', NOW)).toBe(false);
    await nothing.choices.loadHidden();
    expect(isCachedHiddenEmpty(storage, 'me', NOW + hour - 1)).toBe(true);
    expect(isCachedHiddenEmpty(storage, 'me', NOW + hour)).toBe(false);
    expect(isCachedHiddenEmpty(storage, 'other', NOW)).toBe(false);
    const something = page({ tags: ['rpg'], creators: [] });
    await something.choices.loadHidden();
    expect(isCachedHiddenEmpty(something.storage, 'me', NOW)).toBe(false);
  });

  test('costs nothing where the storage is full or holds nonsense', async () => {
    const storage = storageOf({ 'hidden:list': '{"owner":"me","tags":3' });
    expect(page(undefined, storage).kept()).toBeNull();
    storage.setItem = () => {
      throw new Error('full');
    };
    const { choices, is } = page(undefined, storage);
    void choices.choose(ANIME, true);
    expect(is(ANIME)).toBe(true);
  });
});

describe('What I pressed before I logged in', () => {
  const at = (path: string, now = 1000) => ({ path, now });

  test('is done on the page that I pressed it on, for half an hour, once', () => {
    const storage = storageOf();
    savePendingAction(storage, { choice: WREN, on: true, owner: null }, at('/en/character-info/wren'));
    expect(readPendingAction(storage, at('/en/discover'))).toBeNull();
    expect(readPendingAction(storage, at('/en/character-info/wren', 1000 + 31 * 60_000))).toBeNull();
    expect(readPendingAction(storage, at('/en/character-info/wren', 1000 + 29 * 60_000))).toEqual({
      choice: WREN,
      on: true,
      owner: null,
    });
    clearPendingAction(storage);
    expect(readPendingAction(storage, at('/en/character-info/wren'))).toBeNull();
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    $session.set({ status: 'loading', auth: null });
    $toasts.set([]);
    pageChoices.setOwner(null);
  });

  test.each([
    [
      'is done for the account that I log in with',
      null,
      { id: 'me', is_anonymous: false },
      ['done'],
      ['added'],
    ],
    [
      'is done for me when my session had ended',
      'me',
      { id: 'me', is_anonymous: false },
      ['done'],
      ['added'],
    ],
    [
      'is not done for another who logs in',
      'me',
      { id: 'you', is_anonymous: false },
      [],
      ['refused: other_account'],
    ],
    ['is not done for a guest', 'me', { id: 'guest', is_anonymous: true }, [], ['refused: account_required']],
  ])('%s', async (_, owner, user, done, said) => {
    const path = '/en/character-info/wren';
    const storage = storageOf();
    vi.stubGlobal('sessionStorage', storage);
    vi.stubGlobal('location', { pathname: path });
    const choose = vi.spyOn(pageChoices, 'choose').mockImplementation(async (choice, on) => {
      pageChoices.markSaved('favourite', on ? [choice.id] : []);
      return null;
    });
    $session.set({
      status: 'known',
      auth: { is_authenticated: true, isAuthenticated: true, user } as AuthStatus,
    });
    savePendingAction(storage, { choice: WREN, on: true, owner }, at(path, Date.now()));
    const words = (key: string) => key;
    const errors = (key: string) => `refused: ${key}`;
    await resumePendingAction({ lang: 'en', words, errors } as unknown as ActionMessages);
    expect(choose.mock.calls).toEqual(done.map(() => [WREN, true]));
    expect($toasts.get().map(({ text }) => text)).toEqual(said);
    expect(storage.length).toBe(0);
  });
});
