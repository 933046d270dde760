import { atom, type ReadableAtom } from 'nanostores';
import type { Result } from './api.ts';
import { isStale, readWithRetry } from './remote-state.ts';

/** The loaded part of a paged list. `Page` is the type of the API's answer. */
export interface PagedState<Item, Page = unknown> {
  /** `idle` until the first load. Reloading keeps the known items. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly Item[];
  /** The first page with its other fields; null until loaded. */
  page: Page | null;
  /** Cursor to the next page; null when all items are loaded. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
  /** Number of pages loaded after the first. */
  added: number;
}

export interface PagedList<Item, Page = unknown> {
  $list: ReadableAtom<PagedState<Item, Page>>;
  /** Loads the first page. Of concurrent calls only the latest counts. */
  load(): Promise<void>;
  /** Loads the first page unless it is known and younger than STALE_AFTER_MS, or a request runs or has failed. */
  loadIfStale(): void;
  /** Adds the next page, unless there is none or it is loading already. */
  showMore(): Promise<void>;
  /** Applies a change to an item, from another API answer. */
  updateItem(id: string, part: Partial<Item>): void;
  /** Applies a change to the first page's fields, from another API answer. */
  updatePage(part: Partial<Page>): void;
  /** Forgets everything, for a different user. */
  reset(): void;
}

interface PagedDeps<Item, Page> {
  fetchPage(cursor?: string): Promise<Result<Page>>;
  /** Identifies an item. Items can move to a later page while the list is read, so duplicates are dropped. */
  getId(item: Item): string;
  /** Called with newly loaded items. */
  onItems?(items: readonly Item[]): void;
  now?(): number;
}

const EMPTY_LIST = {
  status: 'idle',
  items: [],
  page: null,
  nextCursor: null,
  more: 'idle',
  added: 0,
} as const;

/** Creates a paged list as a state machine without React; the API call is passed in. */
export function createPagedList<Page extends { items: object[]; next_cursor: string | null }>({
  fetchPage,
  getId,
  onItems,
  now = Date.now,
}: PagedDeps<Page['items'][number], Page>): PagedList<Page['items'][number], Page> {
  type Item = Page['items'][number];
  const $list = atom<PagedState<Item, Page>>(EMPTY_LIST);
  const change = (part: Partial<PagedState<Item, Page>>) => $list.set({ ...$list.get(), ...part });
  let latest = 0;
  let readAt = 0;
  async function load(): Promise<void> {
    const call = ++latest;
    change({ status: 'loading' });
    const answer = await readWithRetry(() => fetchPage());
    if (call !== latest) return;
    if (!answer.ok) return change({ status: 'failed' });
    const { items, next_cursor: nextCursor } = answer.data;
    readAt = now();
    onItems?.(items);
    change({ status: 'ready', items, page: answer.data, nextCursor, more: 'idle', added: 0 });
  }
  return {
    $list,
    load,
    loadIfStale() {
      if (isStale($list.get().status, readAt, now())) void load();
    },
    async showMore() {
      const { nextCursor, more } = $list.get();
      if (nextCursor === null || more === 'loading') return;
      const call = latest;
      change({ more: 'loading' });
      const answer = await readWithRetry(() => fetchPage(nextCursor));
      if (call !== latest) return;
      if (!answer.ok) return change({ more: 'failed' });
      const { items, added } = $list.get();
      const known = new Set(items.map(getId));
      const newItems = answer.data.items.filter((item) => !known.has(getId(item)));
      onItems?.(newItems);
      change({
        more: 'idle',
        items: [...items, ...newItems],
        nextCursor: answer.data.next_cursor,
        added: added + 1,
      });
    },
    updateItem: (id, part) =>
      change({ items: $list.get().items.map((item) => (getId(item) === id ? { ...item, ...part } : item)) }),
    updatePage(part) {
      const { page } = $list.get();
      if (page !== null) change({ page: { ...page, ...part } });
    },
    reset() {
      latest += 1;
      $list.set(EMPTY_LIST);
    },
  };
}
