import { atom, type ReadableAtom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { FoundMessage, SearchResult } from '../../features/search/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import { retryAfterSignIn, type SessionAccess } from '../sign-in/reauthenticate.ts';

/** Pages without anything that are fetched past in a row, where what they held had changed a moment before. */
export const MAX_EMPTY_PAGES = 5;

/** What is typed rests so long before it is looked for: about one key to the next. */
export const DEBOUNCE_MS = 300;

export interface SearchState {
  /** What was looked for last, or is now; empty before anything was. */
  asked: string;
  /** While something else is looked for, what was found before stays. */
  status: 'idle' | 'searching' | 'found' | 'failed';
  items: readonly FoundMessage[];
  /** Leads to older ones; null when all are here. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
  failure: Failure | null;
}

export const EMPTY_SEARCH: SearchState = {
  asked: '',
  status: 'idle',
  items: [],
  nextCursor: null,
  more: 'idle',
  failure: null,
};

/** The call that a search makes; null as cursor begins with the newest. */
export type FindMessages = (
  query: string,
  cursor: string | null,
  signal: AbortSignal,
) => Promise<Result<SearchResult>>;

export interface SearchDeps {
  find: FindMessages;
  clock: Clock;
  asker: SessionAccess;
}

export interface MessageSearch {
  $search: ReadableAtom<SearchState>;
  /** Looks for what is typed, once it rests. */
  setQuery(text: string): void;
  /** Looks for it now. */
  submit(text: string): void;
  showMore(): Promise<void>;
  /** Does again what failed. */
  retry(): void;
  /** Nothing is known any more: somebody else is here. */
  reset(): void;
}

/** A search as a state machine. It knows no React; the API comes in. */
export function createMessageSearch({ find, clock, asker }: SearchDeps): MessageSearch {
  const $search = atom<SearchState>(EMPTY_SEARCH);
  let cancelDebounce = () => {};
  let running = new AbortController();

  const change = (part: Partial<SearchState>) => $search.set({ ...$search.get(), ...part });

  /** Ends what waits and what runs; the answer of what runs then counts for nothing. */
  function abortRunning(): AbortSignal {
    cancelDebounce();
    running.abort();
    running = new AbortController();
    return running.signal;
  }

  function startSearch(query: string, cursor: string | null, signal: AbortSignal) {
    // Nobody signs in for what is not wanted any more.
    const signIn = async () => (signal.aborted ? null : asker.signIn());
    return retryAfterSignIn(() => find(query, cursor, signal), { getUserId: asker.getUserId, signIn });
  }

  /** The next page that holds something: nobody need ask for the one after an empty page. */
  async function fetchMore(query: string, cursor: string | null, signal: AbortSignal) {
    let answer = await startSearch(query, cursor, signal);
    for (let emptyPages = 1; emptyPages < MAX_EMPTY_PAGES && !signal.aborted; emptyPages += 1) {
      if (!answer.ok || answer.data.items.length > 0 || answer.data.next_cursor === null) break;
      answer = await startSearch(query, answer.data.next_cursor, signal);
    }
    return answer;
  }

  async function fetchPage(query: string): Promise<void> {
    const signal = abortRunning();
    if (query === '') {
      $search.set(EMPTY_SEARCH);
      return;
    }
    change({ asked: query, status: 'searching', more: 'idle', failure: null });
    const answer = await fetchMore(query, null, signal);
    if (signal.aborted) return;
    if (answer.ok) change({ status: 'found', items: answer.data.items, nextCursor: answer.data.next_cursor });
    else change({ status: 'failed', items: [], nextCursor: null, failure: answer });
  }

  async function showMore(): Promise<void> {
    const { asked, status, nextCursor, more } = $search.get();
    if (status !== 'found' || nextCursor === null || more === 'loading') return;
    const { signal } = running;
    change({ more: 'loading', failure: null });
    const answer = await fetchMore(asked, nextCursor, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      const items = [...$search.get().items, ...answer.data.items];
      change({ more: 'idle', items, nextCursor: answer.data.next_cursor });
    } else {
      change({ more: 'failed', failure: answer });
    }
  }

  const nextQuery = (text: string) => text.slice(0, TEXT_LIMITS.searchQuery).trim();

  return {
    $search,
    setQuery(text) {
      const query = nextQuery(text);
      cancelDebounce();
      if (query === '') void fetchPage('');
      else if (query !== $search.get().asked)
        cancelDebounce = clock.after(DEBOUNCE_MS, () => void fetchPage(query));
    },
    submit(text) {
      void fetchPage(nextQuery(text));
    },
    showMore,
    retry() {
      const { status, more, asked } = $search.get();
      if (status === 'failed') void fetchPage(asked);
      else if (more === 'failed') void showMore();
    },
    reset() {
      abortRunning();
      $search.set(EMPTY_SEARCH);
    },
  };
}
