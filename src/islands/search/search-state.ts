import { atom, type ReadableAtom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { FoundMessage, SearchResult } from '../../features/search/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import { retryAfterSignIn, type SessionAccess } from '../sign-in/reauthenticate.ts';

/** Most empty pages skipped in a row. A page is empty when all of its matches have just changed. */
export const MAX_EMPTY_PAGES = 5;

/** Delay after the last keystroke, in milliseconds. */
export const DEBOUNCE_MS = 300;

export interface SearchState {
  /** The current or last query; empty before any. */
  asked: string;
  /** While searching, the previous results stay. */
  status: 'idle' | 'searching' | 'found' | 'failed';
  items: readonly FoundMessage[];
  /** Cursor of older matches; null at the end. */
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

/** The search call; a null cursor starts with the newest match. */
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
  /** Sets the query; searches after a delay. */
  setQuery(text: string): void;
  /** Searches immediately. */
  submit(text: string): void;
  showMore(): Promise<void>;
  /** Repeats the failed request. */
  retry(): void;
  /** Clears all data; another user is signed in. */
  reset(): void;
}

export function createMessageSearch({ find, clock, asker }: SearchDeps): MessageSearch {
  const $search = atom<SearchState>(EMPTY_SEARCH);
  let cancelDebounce = () => {};
  let running = new AbortController();

  const change = (part: Partial<SearchState>) => $search.set({ ...$search.get(), ...part });

  /** Cancels the delayed and the running search; a late answer is dropped. */
  function abortRunning(): AbortSignal {
    cancelDebounce();
    running.abort();
    running = new AbortController();
    return running.signal;
  }

  function startSearch(query: string, cursor: string | null, signal: AbortSignal) {
    // Do not ask to sign in for an aborted search.
    const signIn = async () => (signal.aborted ? null : asker.signIn());
    return retryAfterSignIn(() => find(query, cursor, signal), { getUserId: asker.getUserId, signIn });
  }

  /** Fetches the next page with results, skipping empty ones. */
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
