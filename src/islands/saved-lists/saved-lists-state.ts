import { atom, type ReadableAtom } from 'nanostores';
import type { HiddenList } from '../../features/character/contract.ts';
import type { Failure } from '../shared/api.ts';
import { type SavedItem, type SavedItemKind, savedListsApi, type SavedListsApi } from './saved-lists-api.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { cacheHidden, readCachedHidden } from './cached-hidden.ts';
import type { TextStorage } from '../shared/outbox.ts';

export interface SavedListsState {
  /** Whose choices these are; null while nobody with an account is known to be here. */
  owner: string | null;
  /** Favourites and follows, as far as they were asked for. */
  chosen: ReadonlyMap<string, boolean>;
  /** What is left out of lists; null while that is not known. */
  hidden: HiddenList | null;
  /** Whether the last try to fetch it failed. */
  hiddenFailed: boolean;
}

/** What somebody keeps, follows and hides, on this page. */
export interface SavedLists {
  $state: ReadableAtom<SavedListsState>;
  /** Somebody is here, or nobody with an account: what another chose is forgotten, what this device knows is there. */
  setOwner(owner: string | null): void;
  /** Asks whether something is chosen, unless that is known. */
  loadSaved(kind: 'favourite' | 'follow', id: string): Promise<void>;
  /** What a list tells by having it. */
  markSaved(kind: 'favourite' | 'follow', ids: readonly string[]): void;
  loadHidden(): Promise<void>;
  /**
   * Chooses something, or takes that back. It shows at once; of several presses the last one counts, and what cannot be
   * saved is as it was before.
   */
  choose(choice: SavedItem, on: boolean): Promise<Failure | null>;
}

export interface SavedListsDeps {
  api: SavedListsApi;
  storage(): TextStorage | null;
  /** Milliseconds since 1970. */
  now(): number;
}

const NO_HIDDEN: HiddenList = { tags: [], creators: [] };
const EMPTY_STATE: SavedListsState = { owner: null, chosen: new Map(), hidden: null, hiddenFailed: false };

const toKey = (kind: SavedItemKind, id: string): string => `${kind}:${id}`;

/** Whether something is chosen; undefined while that is not known. */
export function isSaved(
  { chosen, hidden }: Pick<SavedListsState, 'chosen' | 'hidden'>,
  { kind, id }: Pick<SavedItem, 'kind' | 'id'>,
): boolean | undefined {
  if (kind === 'tag') return hidden?.tags.includes(id);
  if (kind === 'creator') return hidden?.creators.some((creator) => creator.id === id);
  return chosen.get(toKey(kind, id));
}

/** What is hidden with one thing more, or without it. */
function withHidden(hidden: HiddenList, { kind, id, name }: SavedItem, on: boolean): HiddenList {
  if (kind === 'tag') {
    const tags = hidden.tags.filter((tag) => tag !== id);
    return { ...hidden, tags: on ? [id, ...tags] : tags };
  }
  const creators = hidden.creators.filter((creator) => creator.id !== id);
  return { ...hidden, creators: on ? [{ id, name }, ...creators] : creators };
}

/** What somebody chose, as a state machine. It knows no React; the API and the storage come in. */
export function createSavedLists({ api, storage, now }: SavedListsDeps): SavedLists {
  const $state = atom<SavedListsState>(EMPTY_STATE);
  const change = (part: Partial<SavedListsState>) => $state.set({ ...$state.get(), ...part });
  /** What the server has, what it shall have, and what is on its way, each by its key. */
  let confirmed = new Map<string, boolean>();
  let wanted = new Map<string, boolean>();
  let running = new Map<string, Promise<Failure | null>>();
  /** Counts changes of what is hidden: a list that was asked for before one is old. */
  let changes = 0;

  function setHidden(hidden: HiddenList): void {
    const { owner } = $state.get();
    change({ hidden, hiddenFailed: false });
    if (owner !== null) cacheHidden(storage(), owner, hidden, now());
  }

  function apply(choice: SavedItem, on: boolean): void {
    const { chosen, hidden } = $state.get();
    if (choice.kind === 'favourite' || choice.kind === 'follow')
      return change({ chosen: new Map(chosen).set(toKey(choice.kind, choice.id), on) });
    changes += 1;
    setHidden(withHidden(hidden ?? NO_HIDDEN, choice, on));
  }

  /** Tells the server until it has what was wanted last. */
  async function sync(choice: SavedItem, key: string, owner: string | null): Promise<Failure | null> {
    for (;;) {
      const on = wanted.get(key) === true;
      if (confirmed.get(key) === on) return null;
      const answer = await api.choose(choice.kind, choice.id, on);
      // Somebody else is here now: what they chose is not touched.
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
      [confirmed, wanted, running] = [new Map(), new Map(), new Map()];
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
      if (owner === null || $state.get().chosen.has(key)) return;
      const answer = await api.isChosen(kind, id);
      const now = $state.get();
      if (!answer.ok || now.owner !== owner || now.chosen.has(key)) return;
      change({ chosen: new Map(now.chosen).set(key, answer.data) });
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

/** The choices of a page. */
export const savedLists: SavedLists = createSavedLists({
  api: savedListsApi,
  storage: getDeviceStorage,
  now: Date.now,
});
