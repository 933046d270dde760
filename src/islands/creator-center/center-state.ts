import { atom, type ReadableAtom } from 'nanostores';
import { TRASH } from '../../features/character/limits.ts';
import type { OwnCharacter } from '../../features/character/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import { retryAfterSignIn, type SessionAccess, pageSession } from '../sign-in/reauthenticate.ts';
import { centerApi, type CenterApi } from './center-api.ts';

export type CharacterListKind = 'here' | 'trash';

/** One list, as far as it is here. */
export interface CharacterListState {
  /** `idle` until it is asked for. While it is fetched again, what is known already stays. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly OwnCharacter[];
  /** Leads to the rest; null when all are here. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
}

export interface CreatorCenterState {
  here: CharacterListState;
  trash: CharacterListState;
  /** How many there are in all, the trash left out. */
  count: number;
  /** Those that something is being done with. */
  busy: ReadonlySet<string>;
}

/** What one can do with one's characters; a failure is answered, null when it went well. */
export interface CreatorCenterStore {
  $center: ReadableAtom<CreatorCenterState>;
  /** Fetches a list anew; when called again meanwhile, the later answer counts. */
  load(which: CharacterListKind): Promise<void>;
  showMore(which: CharacterListKind): Promise<void>;
  /** To the trash. One that is gone already counts as moved. */
  remove(id: string): Promise<Failure | null>;
  /** Out of the trash, back to where it stood. */
  restore(id: string): Promise<Failure | null>;
  /** Nothing is known any more: somebody else is here. */
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

/** Whole days, begun ones counted, that something still lies in the trash; none when it is about to go. */
export function getDaysLeft(deletedAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(deletedAt) + TRASH.retentionMs - now) / DAY_MS));
}

/** By what each list is in order, newest first, as the server has it. */
const getSortKey = (which: CharacterListKind, { created_at, deleted_at, id }: OwnCharacter): string =>
  `${which === 'trash' ? (deleted_at ?? '') : created_at} ${id}`;

/** A list with a character in its place; left out where it belongs to a page that is not here yet. */
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

/** One's characters, and their trash, as a state machine. It knows no React; the API comes in. */
export function createCreatorCenter({ api, asker, now }: CreatorCenterDeps): CreatorCenterStore {
  const $center = atom<CreatorCenterState>(EMPTY_CENTER);
  const latest: Record<CharacterListKind, number> = { here: 0, trash: 0 };

  const change = (part: Partial<CreatorCenterState>) => $center.set({ ...$center.get(), ...part });
  const updateList = (which: CharacterListKind, part: Partial<CharacterListState>) =>
    change({ [which]: { ...$center.get()[which], ...part } });

  /** Does something with one character while it shows as busy. */
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

/** The characters of a page. */
export const creatorCenter: CreatorCenterStore = createCreatorCenter({
  api: centerApi,
  asker: pageSession,
  now: Date.now,
});
