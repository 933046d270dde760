import { atom, type ReadableAtom } from 'nanostores';
import type { Result } from './api.ts';

/** What is fetched page by page, as far as it is here. `Page` is the answer that brought the first. */
export interface PagedState<Item, Page = unknown> {
  /** `idle` until it is asked for. While it is fetched again, what is known already stays. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly Item[];
  /** The first page, with what came beside its items; null until it is here. */
  page: Page | null;
  /** Leads to the rest; null when all are here. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
  /** Pages that were added to the first. */
  added: number;
}

export interface PagedList<Item, Page = unknown> {
  $list: ReadableAtom<PagedState<Item, Page>>;
  /** Fetches it anew; when called again meanwhile, the later answer counts. */
  load(): Promise<void>;
  /** Adds the next page, if there is one and it is not on its way. */
  showMore(): Promise<void>;
  /** What another answer said of one of them. */
  updateItem(id: string, part: Partial<Item>): void;
  /** What another answer said of the first page. */
  updatePage(part: Partial<Page>): void;
  /** Nothing is known any more: somebody else is here. */
  reset(): void;
}

interface PagedDeps<Item, Page> {
  fetchPage(cursor?: string): Promise<Result<Page>>;
  /** What tells one from another: some move from one page to the next while they are read. */
  getId(item: Item): string;
  /** What has come, for whoever wants to know of it. */
  onItems?(items: readonly Item[]): void;
}

const EMPTY_LIST = {
  status: 'idle',
  items: [],
  page: null,
  nextCursor: null,
  more: 'idle',
  added: 0,
} as const;

/** A list that is fetched page by page, as a state machine; the calls come in. */
export function createPagedList<Page extends { items: object[]; next_cursor: string | null }>({
  fetchPage,
  getId: idOf,
  onItems: came,
}: PagedDeps<Page['items'][number], Page>): PagedList<Page['items'][number], Page> {
  type Item = Page['items'][number];
  const $list = atom<PagedState<Item, Page>>(EMPTY_LIST);
  const change = (part: Partial<PagedState<Item, Page>>) => $list.set({ ...$list.get(), ...part });
  let latest = 0;
  return {
    $list,
    async load() {
      latest += 1;
      const call = latest;
      change({ status: 'loading' });
      const answer = await fetchPage();
      if (call !== latest) return;
      if (!answer.ok) return change({ status: 'failed' });
      const { items, next_cursor: nextCursor } = answer.data;
      came?.(items);
      change({ status: 'ready', items, page: answer.data, nextCursor, more: 'idle', added: 0 });
    },
    async showMore() {
      const { nextCursor, more } = $list.get();
      if (nextCursor === null || more === 'loading') return;
      const call = latest;
      change({ more: 'loading' });
      const answer = await fetchPage(nextCursor);
      if (call !== latest) return;
      if (!answer.ok) return change({ more: 'failed' });
      const { items, added } = $list.get();
      const known = new Set(items.map(idOf));
      const newItems = answer.data.items.filter((item) => !known.has(idOf(item)));
      came?.(newItems);
      change({
        more: 'idle',
        items: [...items, ...newItems],
        nextCursor: answer.data.next_cursor,
        added: added + 1,
      });
    },
    updateItem: (id, part) =>
      change({ items: $list.get().items.map((item) => (idOf(item) === id ? { ...item, ...part } : item)) }),
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
