/** Types of a service worker's globals. The DOM library's types conflict with those of the Workers runtime. */

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface WorkerFetchEvent extends WorkerEvent {
  readonly request: Request;
  readonly clientId: string;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

interface PageClient {
  readonly url: string;
  postMessage(message: unknown): void;
}

interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: {
    get(id: string): Promise<PageClient | undefined>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageClient[]>;
    claim(): Promise<void>;
  };
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void;
  addEventListener(
    type: 'message',
    listener: (event: WorkerEvent & { readonly data: unknown }) => void,
  ): void;
}

export const workerScope = globalThis as unknown as WorkerScope;

/** The browser's caches; the type declares only what is used here. */
export const cacheStorage = globalThis.caches as unknown as {
  open(name: string): Promise<CacheStore>;
  keys(): Promise<string[]>;
  delete(name: string): Promise<boolean>;
};

export interface CacheStore {
  match(key: string): Promise<Response | undefined>;
  put(key: string, answer: Response): Promise<void>;
  delete(key: string): Promise<boolean>;
  keys(): Promise<readonly Request[]>;
}
