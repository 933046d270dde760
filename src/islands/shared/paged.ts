import { atom, type ReadableAtom } from 'nanostores';
import type { Result } from './api.ts';

/** What is fetched page by page, as far as it is here. `Page` is the answer that brought the first. */
export interface Paged<Item, Page = unknown> {
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
  $list: ReadableAtom<Paged<Item, Page>>;
  /** Fetches it anew; when called again meanwhile, the later answer counts. */
  load(): Promise<void>;
  /** Adds the next page, if there is one and it is not on its way. */
  showMore(): Promise<void>;
  /** What another answer said of one of them. */
  put(id: string, part: Partial<Item>): void;
  /** What another answer said of the first page. */
  putPage(part: Partial<Page>): void;
  /** Nothing is known any more: somebody else is here. */
  forget(): void;
}

interface PagedDeps<Item, Page> {
  fetchPage(cursor?: string): Promise<Result<Page>>;
  /** What tells one from another: some move from one page to the next while they are read. */
  idOf(item: Item): string;
  /** What has come, for whoever wants to know of it. */
  came?(items: readonly Item[]): void;
}

const NONE = { status: 'idle', items: [], page: null, nextCursor: null, more: 'idle', added: 0 } as const;

/** A list that is fetched page by page, as a state machine; the calls come in. */
export function createPaged<Page extends { items: object[]; next_cursor: string | null }>({
  fetchPage,
  idOf,
  came,
}: PagedDeps<Page['items'][number], Page>): PagedList<Page['items'][number], Page> {
  type Item = Page['items'][number];
  const $list = atom<Paged<Item, Page>>(NONE);
  const change = (part: Partial<Paged<Item, Page>>) => $list.set({ ...$list.get(), ...part });
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
      const fresh = answer.data.items.filter((item) => !known.has(idOf(item)));
      came?.(fresh);
      change({
        more: 'idle',
        items: [...items, ...fresh],
        nextCursor: answer.data.next_cursor,
        added: added + 1,
      });
    },
    put: (id, part) =>
      change({ items: $list.get().items.map((item) => (idOf(item) === id ? { ...item, ...part } : item)) }),
    putPage(part) {
      const { page } = $list.get();
      if (page !== null) change({ page: { ...page, ...part } });
    },
    forget() {
      latest += 1;
      $list.set(NONE);
    },
  };
}
