import { atom, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from '../shared/api.ts';

/** Something that the server knows. While it is fetched again, what is known already stays. */
export interface RemoteState<T> {
  /** `idle` until it is asked for. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  data: T | null;
  failure: Failure | null;
}

export interface RemoteStore<T> {
  $state: ReadableAtom<RemoteState<T>>;
  /** Fetches it; when called again meanwhile, the later answer counts. */
  load(): Promise<void>;
  /** Fetches it unless somebody did. */
  loadOnce(): void;
  /** What another answer said of it. An answer still under way to a fetch is older. */
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
