import { atom, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from '../shared/api.ts';

/** Data from the server. Known data stays available while it is fetched again. */
export interface RemoteState<T> {
  /** `idle` before the first request. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  data: T | null;
  failure: Failure | null;
}

export interface RemoteStore<T> {
  $state: ReadableAtom<RemoteState<T>>;
  /** Fetches the data; of overlapping calls the latest one counts. */
  load(): Promise<void>;
  /** Fetches the data unless a request was made before. */
  loadOnce(): void;
  /** Sets the data from another response. A fetch still in flight is older and is dropped. */
  setData(data: T): void;
  reset(): void;
}

const IDLE_STATE = { status: 'idle', data: null, failure: null } as const;

export function createRemoteStore<T>(fetchData: () => Promise<Result<T>>): RemoteStore<T> {
  const $state = atom<RemoteState<T>>(IDLE_STATE);
  let latest = 0;
  async function load(): Promise<void> {
    const call = ++latest;
    $state.set({ ...$state.get(), status: 'loading', failure: null });
    const answer = await fetchData();
    if (call !== latest) return;
    $state.set(
      answer.ok
        ? { status: 'ready', data: answer.data, failure: null }
        : { status: 'failed', data: $state.get().data, failure: answer },
    );
  }
  return {
    $state,
    load,
    loadOnce() {
      if ($state.get().status === 'idle') void load();
    },
    setData(data) {
      latest += 1;
      $state.set({ status: 'ready', data, failure: null });
    },
    reset() {
      latest += 1;
      $state.set(IDLE_STATE);
    },
  };
}
