import { atom, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from '../shared/api.ts';

/** Something that the server knows. While it is fetched again, what is known already stays. */
export interface RemoteState<T> {
  /** `idle` until it is asked for. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  data: T | null;
  failure: Failure | null;
}

export interface Remote<T> {
  $state: ReadableAtom<RemoteState<T>>;
  /** Fetches it; when called again meanwhile, the later answer counts. */
  load(): Promise<void>;
  /** Fetches it unless somebody did. */
  loadOnce(): void;
  /** What another answer said of it. An answer still under way to a fetch is older. */
  put(data: T): void;
  forget(): void;
}

const NOTHING = { status: 'idle', data: null, failure: null } as const;

export function createRemote<T>(fetchIt: () => Promise<Result<T>>): Remote<T> {
  const $state = atom<RemoteState<T>>(NOTHING);
  let latest = 0;
  async function load(): Promise<void> {
    const call = ++latest;
    $state.set({ ...$state.get(), status: 'loading', failure: null });
    const answer = await fetchIt();
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
    put(data) {
      latest += 1;
      $state.set({ status: 'ready', data, failure: null });
    },
    forget() {
      latest += 1;
      $state.set(NOTHING);
    },
  };
}
