import { atom, type ReadableAtom } from 'nanostores';
import { TRASH } from '../../features/character/limits.ts';
import type { OwnCharacter } from '../../features/character/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import { retryAfterSignIn, type SessionAccess, pageSession } from '../sign-in/reauthenticate.ts';
import { centerApi, type CenterApi } from './center-api.ts';

export type CharacterListKind = 'here' | 'trash';

/** The loaded part of one list. */
export interface CharacterListState {
  /** `idle` before the first request. Known items stay while the list is fetched again. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly OwnCharacter[];
  /** Cursor of the next page; null at the end. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
}

export interface CreatorCenterState {
  here: CharacterListState;
  trash: CharacterListState;
  /** Total number of characters, without the trash. */
  count: number;
  /** Ids of characters with an action in progress. */
  busy: ReadonlySet<string>;
}

/** State of the user's characters and trash. Actions resolve to the failure, or to null on success. */
export interface CreatorCenterStore {
  $center: ReadableAtom<CreatorCenterState>;
  /** Fetches a list from its start; of overlapping calls the latest one counts. */
  load(which: CharacterListKind): Promise<void>;
  showMore(which: CharacterListKind): Promise<void>;
  /** Moves a character to the trash. Succeeds if it is already gone. */
  remove(id: string): Promise<Failure | null>;
  /** Restores a character from the trash to its place in the list. */
  restore(id: string): Promise<Failure | null>;
  /** Clears all data; another user is signed in. */
  reset(): void;
}

export interface CreatorCenterDeps {
  api: CenterApi;
  asker: SessionAccess;
  now(): number;
}

const EMPTY_LIST: CharacterListState = { status: 'idle', items: [], nextCursor: null, more: 'idle' };
export const EMPTY_CENTER: CreatorCenterState = {
  here: EMPTY_LIST,
  trash: EMPTY_LIST,
  count: 0,
  busy: new Set(),
};

const DAY_MS = 86_400_000;

/** Days until a trashed character is erased, rounded up; 0 once it is due. */
export function getDaysLeft(deletedAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(deletedAt) + TRASH.retentionMs - now) / DAY_MS));
}

/** Sort key of each list, descending, as on the server. */
const getSortKey = (which: CharacterListKind, { created_at, deleted_at, id }: OwnCharacter): string =>
  `${which === 'trash' ? (deleted_at ?? '') : created_at} ${id}`;

/** Inserts a character in sort order, or omits it if it belongs on a page that is not loaded yet. */
function insertCharacter(
  list: CharacterListState,
  which: CharacterListKind,
  added: OwnCharacter,
): CharacterListState {
  const items = list.items.filter(({ id }) => id !== added.id);
  const at = items.findIndex((item) => getSortKey(which, item) < getSortKey(which, added));
  if (at === -1 && list.nextCursor !== null) return { ...list, items };
  return { ...list, items: items.toSpliced(at === -1 ? items.length : at, 0, added) };
}

const removeFromList = (list: CharacterListState, removedId: string): CharacterListState => ({
  ...list,
  items: list.items.filter(({ id }) => id !== removedId),
});

export function createCreatorCenter({ api, asker, now }: CreatorCenterDeps): CreatorCenterStore {
  const $center = atom<CreatorCenterState>(EMPTY_CENTER);
  const latest: Record<CharacterListKind, number> = { here: 0, trash: 0 };

  const change = (part: Partial<CreatorCenterState>) => $center.set({ ...$center.get(), ...part });
  const updateList = (which: CharacterListKind, part: Partial<CharacterListState>) =>
    change({ [which]: { ...$center.get()[which], ...part } });

  /** Runs an action on a character and marks it as busy. */
  async function runBusy(id: string, call: () => Promise<Result<null>>): Promise<Result<null>> {
    change({ busy: new Set([...$center.get().busy, id]) });
    const answer = await retryAfterSignIn(call, asker);
    change({ busy: new Set([...$center.get().busy].filter((other) => other !== id)) });
    return answer;
  }

  async function load(which: CharacterListKind): Promise<void> {
    latest[which] += 1;
    const call = latest[which];
    updateList(which, { status: 'loading' });
    const answer = await retryAfterSignIn(() => api.list(which), asker);
    if (call !== latest[which]) return;
    if (!answer.ok) return updateList(which, { status: 'failed' });
    const { items, count, next_cursor: nextCursor } = answer.data;
    change({ count });
    updateList(which, { status: 'ready', items, nextCursor, more: 'idle' });
  }

  return {
    $center,
    load,
    async showMore(which) {
      const { nextCursor, more } = $center.get()[which];
      if (nextCursor === null || more === 'loading') return;
      const call = latest[which];
      updateList(which, { more: 'loading' });
      const answer = await retryAfterSignIn(() => api.list(which, nextCursor), asker);
      if (call !== latest[which]) return;
      if (!answer.ok) return updateList(which, { more: 'failed' });
      const known = $center.get()[which].items;
      const ids = new Set(known.map(({ id }) => id));
      change({ count: answer.data.count });
      updateList(which, {
        more: 'idle',
        items: [...known, ...answer.data.items.filter(({ id }) => !ids.has(id))],
        nextCursor: answer.data.next_cursor,
      });
    },
    async remove(id) {
      const answer = await runBusy(id, () => api.remove(id));
      if (!answer.ok && answer.status !== 404) return answer;
      const { here, trash, count } = $center.get();
      const movedCharacter = here.items.find((item) => item.id === id);
      if (movedCharacter === undefined) return null;
      const deleted = { ...movedCharacter, deleted_at: new Date(now()).toISOString() };
      const inTrash = answer.ok ? insertCharacter(trash, 'trash', deleted) : trash;
      change({ here: removeFromList(here, id), trash: inTrash, count: Math.max(0, count - 1) });
      return null;
    },
    async restore(id) {
      const answer = await runBusy(id, () => api.restore(id));
      if (!answer.ok) return answer;
      const { here, trash, count } = $center.get();
      const movedCharacter = trash.items.find((item) => item.id === id);
      if (movedCharacter === undefined) return null;
      const { deleted_at: _, ...back } = movedCharacter;
      change({
        here: insertCharacter(here, 'here', back),
        trash: removeFromList(trash, id),
        count: count + 1,
      });
      return null;
    },
    reset() {
      latest.here += 1;
      latest.trash += 1;
      $center.set(EMPTY_CENTER);
    },
  };
}

export const creatorCenter: CreatorCenterStore = createCreatorCenter({
  api: centerApi,
  asker: pageSession,
  now: Date.now,
});
