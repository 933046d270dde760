import { atom, type ReadableAtom } from 'nanostores';
import type { Failure, Result } from './api.ts';

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
  /** Fetches the data unless it is known and younger than STALE_AFTER_MS, or a request runs or has failed. */
  loadIfStale(): void;
  /** Sets the data from another response. A fetch still in flight is older and is dropped. */
  setData(data: T): void;
  reset(): void;
}

/** Age from which read data is read again when it is shown again. Windows that regain the focus read nothing. */
export const STALE_AFTER_MS = 5 * 60_000;

/** Whether shown data has to be read: it never was, or too long ago. A failed read waits for the user. */
export const isStale = (status: RemoteState<unknown>['status'], readAt: number, now: number): boolean =>
  status === 'idle' || (status === 'ready' && now - readAt >= STALE_AFTER_MS);

/** Reads once more after a lost connection or a server error. A refusal would be the same again. */
export async function readWithRetry<T>(read: () => Promise<Result<T>>): Promise<Result<T>> {
  const answer = await read();
  const mayRecover = !answer.ok && (answer.status === 0 || answer.status >= 500);
  return mayRecover ? read() : answer;
}

const IDLE_STATE = { status: 'idle', data: null, failure: null } as const;

export function createRemoteStore<T>(fetchData: () => Promise<Result<T>>, now = Date.now): RemoteStore<T> {
  const $state = atom<RemoteState<T>>(IDLE_STATE);
  let latest = 0;
  let readAt = 0;
  async function load(): Promise<void> {
    const call = ++latest;
    $state.set({ ...$state.get(), status: 'loading', failure: null });
    const answer = await readWithRetry(fetchData);
    if (call !== latest) return;
    readAt = now();
    $state.set(
      answer.ok
        ? { status: 'ready', data: answer.data, failure: null }
        : { status: 'failed', data: $state.get().data, failure: answer },
    );
  }
  return {
    $state,
    load,
    loadIfStale() {
      if (isStale($state.get().status, readAt, now())) void load();
    },
    setData(data) {
      latest += 1;
      readAt = now();
      $state.set({ status: 'ready', data, failure: null });
    },
    reset() {
      latest += 1;
      $state.set(IDLE_STATE);
    },
  };
}
