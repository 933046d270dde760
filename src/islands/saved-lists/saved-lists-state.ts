import { atom, type ReadableAtom } from 'nanostores';
import type { HiddenList } from '../../features/character/contract.ts';
import type { Failure } from '../shared/api.ts';
import {
  type ChosenKind,
  type SavedItem,
  type SavedItemKind,
  savedListsApi,
  type SavedListsApi,
} from './saved-lists-api.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { cacheHidden, readCachedHidden } from './cached-hidden.ts';
import type { TextStorage } from '../shared/outbox.ts';

export interface SavedListsState {
  /** The account that the lists belong to; null while no account is known to be signed in. */
  owner: string | null;
  /** Favourites, likes and follows by key; only those that were loaded. */
  chosen: ReadonlyMap<string, boolean>;
  /** How many other accounts like a character, by its id; only those that were loaded. */
  otherLikes: ReadonlyMap<string, number>;
  /** Hidden tags and creators; null while unknown. */
  hidden: HiddenList | null;
  /** Whether the last attempt to load the hidden list failed. */
  hiddenFailed: boolean;
}

/** A user's favourites, likes, follows and hidden items, as known to this page. */
export interface SavedLists {
  $state: ReadableAtom<SavedListsState>;
  /** Sets the account. A change drops the previous account's data and reads this device's cache. */
  setOwner(owner: string | null): void;
  /** Loads whether an item is saved, unless known. */
  loadSaved(kind: ChosenKind, id: string): Promise<void>;
  /** Marks items as saved because a loaded list contains them. */
  markSaved(kind: 'favourite' | 'follow', ids: readonly string[]): void;
  loadHidden(): Promise<void>;
  /**
   * Saves or removes an item. The change shows at once; of several clicks the last one counts, and a failed change is
   * reverted.
   */
  choose(choice: SavedItem, on: boolean): Promise<Failure | null>;
}

export interface SavedListsDeps {
  api: SavedListsApi;
  storage(): TextStorage | null;
  /** Milliseconds since the epoch. */
  now(): number;
}

const NO_HIDDEN: HiddenList = { tags: [], creators: [] };
const EMPTY_STATE: SavedListsState = {
  owner: null,
  chosen: new Map(),
  otherLikes: new Map(),
  hidden: null,
  hiddenFailed: false,
};

const toKey = (kind: SavedItemKind, id: string): string => `${kind}:${id}`;

/** Whether an item is saved; undefined while unknown. */
export function isSaved(
  { chosen, hidden }: Pick<SavedListsState, 'chosen' | 'hidden'>,
  { kind, id }: Pick<SavedItem, 'kind' | 'id'>,
): boolean | undefined {
  if (kind === 'tag') return hidden?.tags.includes(id);
  if (kind === 'creator') return hidden?.creators.some((creator) => creator.id === id);
  return chosen.get(toKey(kind, id));
}

/** How many accounts like a character, with the user's own like as it is shown; undefined while unknown. */
export function countLikes(
  { chosen, otherLikes }: Pick<SavedListsState, 'chosen' | 'otherLikes'>,
  id: string,
): number | undefined {
  const others = otherLikes.get(id);
  return others === undefined ? undefined : others + (chosen.get(toKey('like', id)) === true ? 1 : 0);
}

/** The hidden list with an item added or removed. */
function withHidden(hidden: HiddenList, { kind, id, name }: SavedItem, on: boolean): HiddenList {
  if (kind === 'tag') {
    const tags = hidden.tags.filter((tag) => tag !== id);
    return { ...hidden, tags: on ? [id, ...tags] : tags };
  }
  const creators = hidden.creators.filter((creator) => creator.id !== id);
  return { ...hidden, creators: on ? [{ id, name }, ...creators] : creators };
}

/** Creates the saved lists as a state machine without React; API and storage are passed in. */
export function createSavedLists({ api, storage, now }: SavedListsDeps): SavedLists {
  const $state = atom<SavedListsState>(EMPTY_STATE);
  const change = (part: Partial<SavedListsState>) => $state.set({ ...$state.get(), ...part });
  /** By key: the state on the server, the requested state, and the running request. */
  let confirmed = new Map<string, boolean>();
  let wanted = new Map<string, boolean>();
  let running = new Map<string, Promise<Failure | null>>();
  /** Keys of items whose state is being loaded. */
  let loading = new Set<string>();
  /** Counts changes of the hidden list: a list requested before a change is out of date. */
  let changes = 0;

  function setHidden(hidden: HiddenList): void {
    const { owner } = $state.get();
    change({ hidden, hiddenFailed: false });
    if (owner !== null) cacheHidden(storage(), owner, hidden, now());
  }

  function apply(choice: SavedItem, on: boolean): void {
    const { chosen, hidden } = $state.get();
    if (choice.kind !== 'tag' && choice.kind !== 'creator')
      return change({ chosen: new Map(chosen).set(toKey(choice.kind, choice.id), on) });
    changes += 1;
    setHidden(withHidden(hidden ?? NO_HIDDEN, choice, on));
  }

  /** Sends changes until the server has the state that was requested last. */
  async function sync(choice: SavedItem, key: string, owner: string | null): Promise<Failure | null> {
    for (;;) {
      const on = wanted.get(key) === true;
      if (confirmed.get(key) === on) return null;
      const answer = await api.choose(choice.kind, choice.id, on);
      // Another account is signed in now; do not touch its state.
      if ($state.get().owner !== owner) return null;
      if (answer.ok) confirmed.set(key, on);
      else if (wanted.get(key) === on) {
        apply(choice, !on);
        return answer;
      }
    }
  }

  return {
    $state,
    setOwner(owner) {
      if (owner === $state.get().owner) return;
      [confirmed, wanted, running, loading] = [new Map(), new Map(), new Map(), new Set()];
      changes += 1;
      $state.set({
        ...EMPTY_STATE,
        owner,
        hidden: owner === null ? null : readCachedHidden(storage(), owner),
      });
    },
    async loadSaved(kind, id) {
      const { owner } = $state.get();
      const key = toKey(kind, id);
      if (owner === null || $state.get().chosen.has(key) || loading.has(key)) return;
      const ownLoading = loading.add(key);
      const answer = await api.isChosen(kind, id);
      ownLoading.delete(key);
      const now = $state.get();
      if (!answer.ok || now.owner !== owner) return;
      const { on, likes } = answer.data;
      change({
        chosen: now.chosen.has(key) ? now.chosen : new Map(now.chosen).set(key, on),
        ...(likes === undefined ? {} : { otherLikes: new Map(now.otherLikes).set(id, likes - (on ? 1 : 0)) }),
      });
    },
    markSaved(kind, ids) {
      const chosen = new Map($state.get().chosen);
      for (const id of ids) if (!chosen.has(toKey(kind, id))) chosen.set(toKey(kind, id), true);
      change({ chosen });
    },
    async loadHidden() {
      const [{ owner }, then] = [$state.get(), changes];
      if (owner === null) return;
      const answer = await api.hidden();
      if (then !== changes || owner !== $state.get().owner) return;
      if (answer.ok) setHidden(answer.data);
      else change({ hiddenFailed: true });
    },
    choose(choice, on) {
      const key = toKey(choice.kind, choice.id);
      if (!running.has(key)) confirmed.set(key, isSaved($state.get(), choice) ?? !on);
      wanted.set(key, on);
      apply(choice, on);
      const known = running.get(key);
      if (known !== undefined) return known;
      const ownRunning = running;
      const run = sync(choice, key, $state.get().owner).finally(() => ownRunning.delete(key));
      running.set(key, run);
      return run;
    },
  };
}

export const savedLists: SavedLists = createSavedLists({
  api: savedListsApi,
  storage: getDeviceStorage,
  now: Date.now,
});
