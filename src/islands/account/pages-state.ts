import { atom, type ReadableAtom } from 'nanostores';
import type { Result } from '../shared/api.ts';

/** A list that the server gives page by page. */
export interface PagesState<T> {
  /** `idle` until it is asked for. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly T[];
  nextCursor: string | null;
}

export interface Pages<T> {
  $state: ReadableAtom<PagesState<T>>;
  /** Fetches the first page, or the one after those that are here; one at a time. */
  more(): Promise<void>;
  loadOnce(): void;
  /** What became of one of them meanwhile. */
  change(which: (item: T) => boolean, now: (item: T) => T): void;
}

export function createPages<T>(
  page: (cursor?: string) => Promise<Result<{ items: T[]; next_cursor: string | null }>>,
): Pages<T> {
  const $state = atom<PagesState<T>>({ status: 'idle', items: [], nextCursor: null });
  async function more(): Promise<void> {
    const { status, items, nextCursor } = $state.get();
    if (status === 'loading' || (status === 'ready' && nextCursor === null)) return;
    $state.set({ ...$state.get(), status: 'loading' });
    const answer = await page(nextCursor ?? undefined);
    if (!answer.ok) return $state.set({ ...$state.get(), status: 'failed' });
    $state.set({
      status: 'ready',
      items: [...items, ...answer.data.items],
      nextCursor: answer.data.next_cursor,
    });
  }
  return {
    $state,
    more,
    loadOnce() {
      if ($state.get().status === 'idle') void more();
    },
    change(which, now) {
      const { items } = $state.get();
      $state.set({ ...$state.get(), items: items.map((item) => (which(item) ? now(item) : item)) });
    },
  };
}
