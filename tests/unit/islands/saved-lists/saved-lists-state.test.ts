import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AuthStatus } from '../../../../src/features/account/contract.ts';
import type { HiddenList } from '../../../../src/features/character/contract.ts';
import { NETWORK_FAILURE, type Failure, type Result } from '../../../../src/islands/shared/api.ts';
import {
  clearPendingAction,
  savePendingAction,
  readPendingAction,
} from '../../../../src/islands/saved-lists/pending-action.ts';
import type { ChosenState, SavedItem } from '../../../../src/islands/saved-lists/saved-lists-api.ts';
import {
  savedLists as pageChoices,
  countLikes,
  createSavedLists,
  isSaved,
} from '../../../../src/islands/saved-lists/saved-lists-state.ts';
import {
  resumePendingAction,
  type ActionMessages,
} from '../../../../src/islands/saved-lists/saved-list-actions.ts';
import { isCachedHiddenEmpty, readCachedHidden } from '../../../../src/islands/saved-lists/cached-hidden.ts';
import { clearUserStorage } from '../../../../src/islands/shared/user-storage.ts';
import { $session } from '../../../../src/islands/shared/session-state.ts';
import { $toasts } from '../../../../src/islands/shared/toasts-state.ts';

const NOW = Date.UTC(2026, 0, 1);
const FULL: Failure = { ok: false, status: 409, code: 'favourite_limit', error: '' };
const WREN: SavedItem = { kind: 'favourite', id: 'wren', name: 'Wren' };
const ANIME: SavedItem = { kind: 'tag', id: 'anime', name: 'Anime' };
const MAKER: SavedItem = { kind: 'creator', id: 'maker', name: 'Maker' };

/** An in-memory storage with these entries. */
function createStorage(entries: Record<string, string> = {}): Storage {
  const items = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  } as Storage;
}

/** A user's page; each call waits until the test answers it. */
function page(hidden: HiddenList = { tags: [], creators: [] }, storage = createStorage()) {
  const requests: { what: string; answer: (failure?: Failure) => Promise<void> }[] = [];
  const call = (what: string) =>
    new Promise<Result<null>>((resolve) => {
      requests.push({
        what,
        answer: async (failure) => {
          resolve(failure ?? { ok: true, data: null });
          await new Promise((done) => setTimeout(done));
        },
      });
    });
  const api = {
    isChosen: vi.fn(async () => ({ ok: true as const, data: { on: true } as ChosenState })),
    hidden: vi.fn(async (): Promise<Result<HiddenList>> => ({ ok: true, data: hidden })),
    choose: (kind: string, id: string, on: boolean) => call(`${on ? 'put' : 'delete'} ${kind} ${id}`),
  };
  const choices = createSavedLists({ api, storage: () => storage, now: () => NOW });
  choices.setOwner('me');
  const is = (choice: SavedItem) => isSaved(choices.$state.get(), choice);
  const readKept = () => readCachedHidden(storage, 'me');
  return { choices, requests, api, is, storage, readKept };
}

describe('Favourites', () => {
  test('a favourite is shown at once and stays when it was saved', async () => {
    const { choices, requests, is } = page();
    const done = choices.choose(WREN, true);
    expect(is(WREN)).toBe(true);
    await requests[0]?.answer();
    expect(await done).toBeNull();
    expect({ is: is(WREN), requests: requests.map(({ what }) => what) }).toEqual({
      is: true,
      requests: ['put favourite wren'],
    });
  });

  test.each([
    ['there is no network', NETWORK_FAILURE],
    ['the limit is reached', FULL],
  ])('a favourite goes back to its former state when %s', async (_, failure) => {
    const { choices, requests, is } = page();
    choices.markSaved('favourite', ['kept']);
    const [more, less] = [choices.choose(WREN, true), choices.choose({ ...WREN, id: 'kept' }, false)];
    for (const { answer } of requests) await answer(failure);
    expect([await more, await less]).toEqual([failure, failure]);
    expect([is(WREN), is({ ...WREN, id: 'kept' })]).toEqual([false, true]);
  });

  test('several presses during a request end in the state of the last press', async () => {
    const { choices, requests, is } = page();
    const presses = [true, false, true, false].map((on) => choices.choose(WREN, on));
    expect(is(WREN)).toBe(false);
    await requests[0]?.answer();
    await requests[1]?.answer();
    expect(await Promise.all(presses)).toEqual([null, null, null, null]);
    expect(requests.map(({ what }) => what)).toEqual(['put favourite wren', 'delete favourite wren']);
    expect(is(WREN)).toBe(false);
  });

  test('a failed press that was undone in the meantime is not reported', async () => {
    const { choices, requests, is } = page();
    const presses = [choices.choose(WREN, true), choices.choose(WREN, false)];
    await requests[0]?.answer(NETWORK_FAILURE);
    expect(await Promise.all(presses)).toEqual([null, null]);
    expect({ is: is(WREN), calls: requests.length }).toEqual({ is: false, calls: 1 });
  });

  test('a favourite is loaded once, and a press wins over a late answer', async () => {
    const { choices, api, requests, is } = page();
    await choices.loadSaved('favourite', 'wren');
    await choices.loadSaved('favourite', 'wren');
    expect({ is: is(WREN), calls: api.isChosen.mock.calls.length }).toEqual({ is: true, calls: 1 });

    const asking = choices.loadSaved('favourite', 'late');
    void choices.choose({ ...WREN, id: 'late' }, false);
    await asking;
    expect(is({ ...WREN, id: 'late' })).toBe(false);
    expect(requests).toHaveLength(1);
  });

  test('a like is counted with the likes of others, also while it is loaded or refused', async () => {
    const { choices, api, requests } = page();
    const like: SavedItem = { ...WREN, kind: 'like' };
    const count = () => countLikes(choices.$state.get(), 'wren');
    expect(count()).toBeUndefined();
    api.isChosen.mockResolvedValue({ ok: true, data: { on: true, likes: 5 } });
    // The page asks again with every change of the state.
    await Promise.all([choices.loadSaved('like', 'wren'), choices.loadSaved('like', 'wren')]);
    expect({ count: count(), calls: api.isChosen.mock.calls.length }).toEqual({ count: 5, calls: 1 });
    const unlike = choices.choose(like, false);
    expect(count()).toBe(4);
    await requests[0]?.answer(NETWORK_FAILURE);
    expect(await unlike).toEqual(NETWORK_FAILURE);
    expect(count()).toBe(5);

    // The press is shown before the answer to the question arrives.
    const asking = choices.loadSaved('like', 'late');
    void choices.choose({ ...like, id: 'late' }, false);
    await asking;
    expect(countLikes(choices.$state.get(), 'late')).toBe(4);
  });

  test('favourites of one account are not shown to the next', async () => {
    const { choices, requests, is } = page();
    void choices.choose(WREN, true);
    choices.setOwner('other');
    expect(is(WREN)).toBeUndefined();
    await requests[0]?.answer(FULL);
    expect(is(WREN)).toBeUndefined();
  });
});

describe('Hidden items', () => {
  test('a hidden item is stored on the device while it is sent, and removed when it is refused', async () => {
    const { choices, requests, is, readKept } = page({ tags: ['rpg'], creators: [] });
    await choices.loadHidden();
    const done = choices.choose(MAKER, true);
    expect(readKept()).toEqual({ tags: ['rpg'], creators: [{ id: 'maker', name: 'Maker' }] });
    await requests[0]?.answer(FULL);
    await done;
    expect({ is: is(MAKER), readKept: readKept() }).toEqual({
      is: false,
      readKept: { tags: ['rpg'], creators: [] },
    });
  });

  test('hidden items are available on the next page for the same user and deleted on logout', async () => {
    const { choices, requests, storage } = page();
    const done = choices.choose(ANIME, true);
    await requests[0]?.answer();
    await done;
    const [next, otherPage] = [page(undefined, storage), page(undefined, storage)];
    expect(next.is(ANIME)).toBe(true);
    otherPage.choices.setOwner('other');
    expect(otherPage.is(ANIME)).toBeUndefined();
    clearUserStorage(storage);
    expect(storage.length).toBe(0);
  });

  test('the list of the server replaces the hidden items, unless one was hidden since the request', async () => {
    const { choices, requests, api, is, readKept } = page({ tags: ['rpg'], creators: [] });
    const loading = choices.loadHidden();
    void choices.choose(ANIME, true);
    await loading;
    expect(is(ANIME)).toBe(true);
    await requests[0]?.answer();
    api.hidden.mockResolvedValueOnce({ ok: true, data: { tags: [], creators: [] } });
    await choices.loadHidden();
    expect({ is: is(ANIME), readKept: readKept() }).toEqual({
      is: false,
      readKept: { tags: [], creators: [] },
    });
    api.hidden.mockResolvedValueOnce(NETWORK_FAILURE);
    await choices.loadHidden();
    expect(choices.$state.get()).toMatchObject({ hiddenFailed: true, hidden: { tags: [] } });
  });

  test('an empty list of hidden items is cached for an hour and for its user', async () => {
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

  test('hiding works when the storage is full or its content is malformed', async () => {
    const storage = createStorage({ 'hidden:list': '{"owner":"me","tags":3' });
    expect(page(undefined, storage).readKept()).toBeNull();
    storage.setItem = () => {
      throw new Error('full');
    };
    const { choices, is } = page(undefined, storage);
    void choices.choose(ANIME, true);
    expect(is(ANIME)).toBe(true);
  });
});

describe('Actions before login', () => {
  const at = (path: string, now = 1000) => ({ path, now });

  test('a pending action is restored once, on its page, within half an hour', () => {
    const storage = createStorage();
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
      'is done for the account that logs in',
      null,
      { id: 'me', is_anonymous: false },
      ['done'],
      ['addedToFavourites'],
    ],
    [
      'is done for the same user after the session ended',
      'me',
      { id: 'me', is_anonymous: false },
      ['done'],
      ['addedToFavourites'],
    ],
    [
      'is not done for another user who logs in',
      'me',
      { id: 'you', is_anonymous: false },
      [],
      ['refused: other_account'],
    ],
    ['is not done for a guest', 'me', { id: 'guest', is_anonymous: true }, [], ['refused: account_required']],
  ])('a pending action %s', async (_, owner, user, done, toasts) => {
    const path = '/en/character-info/wren';
    const storage = createStorage();
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
    expect($toasts.get().map(({ text }) => text)).toEqual(toasts);
    expect(storage.length).toBe(0);
  });
});
