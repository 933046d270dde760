import { atom, type ReadableAtom } from 'nanostores';
import type { Result } from '../shared/api.ts';

/** A list of characters as far as it is here, with what came beside its first page. */
export interface Paged<Item, Page> {
  /** `idle` until it is asked for. While it is fetched again, what is known already stays. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly Item[];
  /** The first page; null until it is here. */
  page: Page | null;
  /** Leads to the rest; null when all are here. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
}

export interface PagedList<Item, Page> {
  $list: ReadableAtom<Paged<Item, Page>>;
  /** Fetches it anew; when called again meanwhile, the later answer counts. */
  load(): Promise<void>;
  showMore(): Promise<void>;
  /** What another answer said of one of them. */
  put(id: string, part: Partial<Item>): void;
  /** What another answer said of the first page. */
  putPage(part: Partial<Page>): void;
  /** Nothing is known any more: somebody else is here. */
  forget(): void;
}

const NONE = { status: 'idle', items: [], page: null, nextCursor: null, more: 'idle' } as const;

/** A list that is fetched page by page, as a state machine; the calls come in. */
export function createPaged<
  Item extends { character_id: string },
  Page extends { items: Item[]; next_cursor: string | null },
>(fetchPage: (cursor?: string) => Promise<Result<Page>>): PagedList<Item, Page> {
  const $list = atom<Paged<Item, Page>>(NONE);
  const change = (part: Partial<Paged<Item, Page>>) => $list.set({ ...$list.get(), ...part });
  let latest = 0;
  return {
    $list,
    async load() {
      const call = ++latest;
      change({ status: 'loading' });
      const answer = await fetchPage();
      if (call !== latest) return;
      if (!answer.ok) return change({ status: 'failed' });
      const { items, next_cursor: nextCursor } = answer.data;
      change({ status: 'ready', items, page: answer.data, nextCursor, more: 'idle' });
    },
    async showMore() {
      const { nextCursor, more } = $list.get();
      if (nextCursor === null || more === 'loading') return;
      const call = latest;
      change({ more: 'loading' });
      const answer = await fetchPage(nextCursor);
      if (call !== latest) return;
      if (!answer.ok) return change({ more: 'failed' });
      const { items } = $list.get();
      const known = new Set(items.map(({ character_id: id }) => id));
      const fresh = answer.data.items.filter(({ character_id: id }) => !known.has(id));
      change({ more: 'idle', items: [...items, ...fresh], nextCursor: answer.data.next_cursor });
    },
    put: (id, part) =>
      change({
        items: $list.get().items.map((item) => (item.character_id === id ? { ...item, ...part } : item)),
      }),
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
