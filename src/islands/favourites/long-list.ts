import { atom, type ReadableAtom } from 'nanostores';
import type { Result } from '../shared/api.ts';

/** A list as far as it is here. */
export interface LongList<Item> {
  /** `idle` until it is asked for. While it is fetched again, what is known already stays. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly Item[];
  /** Leads to the rest; null when all are here. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
  /** Pages that were added to the first. */
  pages: number;
}

/** A list that is fetched page by page. */
export interface Pages<Item> {
  $list: ReadableAtom<LongList<Item>>;
  /** Fetches it anew; when called again meanwhile, the later answer counts. */
  load(): Promise<void>;
  /** Adds the next page, if there is one and it is not on its way. */
  showMore(): Promise<void>;
  /** Nothing is known any more: somebody else is here. */
  forget(): void;
}

interface PagesDeps<Item> {
  fetchPage(cursor?: string): Promise<Result<{ items: Item[]; next_cursor: string | null }>>;
  /** What has come, for whoever wants to know of it. */
  came?(items: readonly Item[]): void;
}

const NONE = { status: 'idle', items: [], nextCursor: null, more: 'idle', pages: 0 } as const;

/** A list that is fetched page by page, as a state machine; the calls come in. */
export function createPages<Item extends { id: string }>({ fetchPage, came }: PagesDeps<Item>): Pages<Item> {
  const $list = atom<LongList<Item>>(NONE);
  const change = (part: Partial<LongList<Item>>) => $list.set({ ...$list.get(), ...part });
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
      change({ status: 'ready', items, nextCursor, more: 'idle', pages: 0 });
    },
    async showMore() {
      const { nextCursor, more } = $list.get();
      if (nextCursor === null || more === 'loading') return;
      const call = latest;
      change({ more: 'loading' });
      const answer = await fetchPage(nextCursor);
      if (call !== latest) return;
      if (!answer.ok) return change({ more: 'failed' });
      const { items, pages } = $list.get();
      const known = new Set(items.map(({ id }) => id));
      const fresh = answer.data.items.filter(({ id }) => !known.has(id));
      came?.(fresh);
      change({
        more: 'idle',
        items: [...items, ...fresh],
        nextCursor: answer.data.next_cursor,
        pages: pages + 1,
      });
    },
    forget() {
      latest += 1;
      $list.set(NONE);
    },
  };
}
