import { atom, type ReadableAtom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { FoundMessage, SearchResult } from '../../features/search/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import { askAgain, type Asker } from '../sign-in/reauthenticate.ts';

/** Pages without anything that are fetched past in a row, where what they held had changed a moment before. */
export const MAX_EMPTY_PAGES = 5;

/** What is typed rests so long before it is looked for: about one key to the next. */
export const REST_MS = 300;

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

export const NOTHING_ASKED: SearchState = {
  asked: '',
  status: 'idle',
  items: [],
  nextCursor: null,
  more: 'idle',
  failure: null,
};

/** The call that a search makes; null as cursor begins with the newest. */
export type Find = (
  query: string,
  cursor: string | null,
  signal: AbortSignal,
) => Promise<Result<SearchResult>>;

export interface SearchDeps {
  find: Find;
  clock: Clock;
  asker: Asker;
}

export interface Search {
  $search: ReadableAtom<SearchState>;
  /** Looks for what is typed, once it rests. */
  type(text: string): void;
  /** Looks for it now. */
  submit(text: string): void;
  showMore(): Promise<void>;
  /** Does again what failed. */
  retry(): void;
  /** Nothing is known any more: somebody else is here. */
  forget(): void;
}

/** A search as a state machine. It knows no React; the API comes in. */
export function createSearch({ find, clock, asker }: SearchDeps): Search {
  const $search = atom<SearchState>(NOTHING_ASKED);
  let callOff = () => {};
  let running = new AbortController();

  const change = (part: Partial<SearchState>) => $search.set({ ...$search.get(), ...part });

  /** Ends what waits and what runs; the answer of what runs then counts for nothing. */
  function letGo(): AbortSignal {
    callOff();
    running.abort();
    running = new AbortController();
    return running.signal;
  }

  function ask(query: string, cursor: string | null, signal: AbortSignal) {
    // Nobody signs in for what is not wanted any more.
    const signIn = async () => (signal.aborted ? null : asker.signIn());
    return askAgain(() => find(query, cursor, signal), { who: asker.who, signIn });
  }

  /** The next page that holds something: nobody need ask for the one after an empty page. */
  async function askOn(query: string, cursor: string | null, signal: AbortSignal) {
    let answer = await ask(query, cursor, signal);
    for (let empty = 1; empty < MAX_EMPTY_PAGES && !signal.aborted; empty += 1) {
      if (!answer.ok || answer.data.items.length > 0 || answer.data.next_cursor === null) break;
      answer = await ask(query, answer.data.next_cursor, signal);
    }
    return answer;
  }

  async function look(query: string): Promise<void> {
    const signal = letGo();
    if (query === '') {
      $search.set(NOTHING_ASKED);
      return;
    }
    change({ asked: query, status: 'searching', more: 'idle', failure: null });
    const answer = await askOn(query, null, signal);
    if (signal.aborted) return;
    if (answer.ok) change({ status: 'found', items: answer.data.items, nextCursor: answer.data.next_cursor });
    else change({ status: 'failed', items: [], nextCursor: null, failure: answer });
  }

  async function showMore(): Promise<void> {
    const { asked, status, nextCursor, more } = $search.get();
    if (status !== 'found' || nextCursor === null || more === 'loading') return;
    const { signal } = running;
    change({ more: 'loading', failure: null });
    const answer = await askOn(asked, nextCursor, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      const items = [...$search.get().items, ...answer.data.items];
      change({ more: 'idle', items, nextCursor: answer.data.next_cursor });
    } else {
      change({ more: 'failed', failure: answer });
    }
  }

  const wanted = (text: string) => text.slice(0, TEXT_LIMITS.searchQuery).trim();

  return {
    $search,
    type(text) {
      const query = wanted(text);
      callOff();
      if (query === '') void look('');
      else if (query !== $search.get().asked) callOff = clock.after(REST_MS, () => void look(query));
    },
    submit(text) {
      void look(wanted(text));
    },
    showMore,
    retry() {
      const { status, more, asked } = $search.get();
      if (status === 'failed') void look(asked);
      else if (more === 'failed') void showMore();
    },
    forget() {
      letGo();
      $search.set(NOTHING_ASKED);
    },
  };
}
