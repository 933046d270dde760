import { atom, type ReadableAtom } from 'nanostores';
import { TRASH } from '../../features/character/limits.ts';
import type { OwnCharacter } from '../../features/character/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import { askAgain, type Asker, pageAsker } from '../sign-in/reauthenticate.ts';
import { centerApi, type CenterApi } from './center-api.ts';

export type Which = 'here' | 'trash';

/** One list, as far as it is here. */
export interface OwnList {
  /** `idle` until it is asked for. While it is fetched again, what is known already stays. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly OwnCharacter[];
  /** Leads to the rest; null when all are here. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
}

export interface CenterState {
  here: OwnList;
  trash: OwnList;
  /** How many there are in all, the trash left out. */
  count: number;
  /** Those that something is being done with. */
  busy: ReadonlySet<string>;
}

/** What one can do with one's characters; a failure is answered, null when it went well. */
export interface Center {
  $center: ReadableAtom<CenterState>;
  /** Fetches a list anew; when called again meanwhile, the later answer counts. */
  load(which: Which): Promise<void>;
  showMore(which: Which): Promise<void>;
  /** To the trash. One that is gone already counts as moved. */
  remove(id: string): Promise<Failure | null>;
  /** Out of the trash, back to where it stood. */
  restore(id: string): Promise<Failure | null>;
  /** Nothing is known any more: somebody else is here. */
  forget(): void;
}

export interface CenterDeps {
  api: CenterApi;
  asker: Asker;
  now(): number;
}

const NO_LIST: OwnList = { status: 'idle', items: [], nextCursor: null, more: 'idle' };
export const NO_CENTER: CenterState = { here: NO_LIST, trash: NO_LIST, count: 0, busy: new Set() };

const DAY_MS = 86_400_000;

/** Whole days, begun ones counted, that something still lies in the trash; none when it is about to go. */
export function daysLeft(deletedAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(deletedAt) + TRASH.keptMs - now) / DAY_MS));
}

/** By what each list is in order, newest first, as the server has it. */
const orderOf = (which: Which, { created_at, deleted_at, id }: OwnCharacter): string =>
  `${which === 'trash' ? (deleted_at ?? '') : created_at} ${id}`;

/** A list with a character in its place; left out where it belongs to a page that is not here yet. */
function withOne(list: OwnList, which: Which, added: OwnCharacter): OwnList {
  const items = list.items.filter(({ id }) => id !== added.id);
  const at = items.findIndex((item) => orderOf(which, item) < orderOf(which, added));
  if (at === -1 && list.nextCursor !== null) return { ...list, items };
  return { ...list, items: items.toSpliced(at === -1 ? items.length : at, 0, added) };
}

const without = (list: OwnList, gone: string): OwnList => ({
  ...list,
  items: list.items.filter(({ id }) => id !== gone),
});

/** One's characters, and their trash, as a state machine. It knows no React; the API comes in. */
export function createCenter({ api, asker, now }: CenterDeps): Center {
  const $center = atom<CenterState>(NO_CENTER);
  const latest: Record<Which, number> = { here: 0, trash: 0 };

  const change = (part: Partial<CenterState>) => $center.set({ ...$center.get(), ...part });
  const changeList = (which: Which, part: Partial<OwnList>) =>
    change({ [which]: { ...$center.get()[which], ...part } });

  /** Does something with one character while it shows as busy. */
  async function busyWith(id: string, call: () => Promise<Result<null>>): Promise<Result<null>> {
    change({ busy: new Set([...$center.get().busy, id]) });
    const answer = await askAgain(call, asker);
    change({ busy: new Set([...$center.get().busy].filter((other) => other !== id)) });
    return answer;
  }

  async function load(which: Which): Promise<void> {
    latest[which] += 1;
    const call = latest[which];
    changeList(which, { status: 'loading' });
    const answer = await askAgain(() => api.list(which), asker);
    if (call !== latest[which]) return;
    if (!answer.ok) return changeList(which, { status: 'failed' });
    const { items, count, next_cursor: nextCursor } = answer.data;
    change({ count });
    changeList(which, { status: 'ready', items, nextCursor, more: 'idle' });
  }

  return {
    $center,
    load,
    async showMore(which) {
      const { nextCursor, more } = $center.get()[which];
      if (nextCursor === null || more === 'loading') return;
      const call = latest[which];
      changeList(which, { more: 'loading' });
      const answer = await askAgain(() => api.list(which, nextCursor), asker);
      if (call !== latest[which]) return;
      if (!answer.ok) return changeList(which, { more: 'failed' });
      const known = $center.get()[which].items;
      const ids = new Set(known.map(({ id }) => id));
      change({ count: answer.data.count });
      changeList(which, {
        more: 'idle',
        items: [...known, ...answer.data.items.filter(({ id }) => !ids.has(id))],
        nextCursor: answer.data.next_cursor,
      });
    },
    async remove(id) {
      const answer = await busyWith(id, () => api.remove(id));
      if (!answer.ok && answer.status !== 404) return answer;
      const { here, trash, count } = $center.get();
      const moved = here.items.find((item) => item.id === id);
      if (moved === undefined) return null;
      const deleted = { ...moved, deleted_at: new Date(now()).toISOString() };
      const inTrash = answer.ok ? withOne(trash, 'trash', deleted) : trash;
      change({ here: without(here, id), trash: inTrash, count: Math.max(0, count - 1) });
      return null;
    },
    async restore(id) {
      const answer = await busyWith(id, () => api.restore(id));
      if (!answer.ok) return answer;
      const { here, trash, count } = $center.get();
      const moved = trash.items.find((item) => item.id === id);
      if (moved === undefined) return null;
      const { deleted_at: _, ...back } = moved;
      change({ here: withOne(here, 'here', back), trash: without(trash, id), count: count + 1 });
      return null;
    },
    forget() {
      latest.here += 1;
      latest.trash += 1;
      $center.set(NO_CENTER);
    },
  };
}

/** The characters of a page. */
export const center: Center = createCenter({
  api: centerApi,
  asker: pageAsker,
  now: Date.now,
});
