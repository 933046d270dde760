import { describe, expect, test } from 'vitest';
import { NETWORK_FAILURE, type Failure, type Result } from '../../../../src/islands/shared/api.ts';
import { createRemoteStore, STALE_AFTER_MS } from '../../../../src/islands/shared/remote-state.ts';

const failWith = (status: number): Failure => ({ ok: false, status, code: 'any', error: '' });

/** A store whose requests are answered by hand, with a clock set by hand. */
function createFixture() {
  const clock = { ms: 0 };
  const requests: PromiseWithResolvers<Result<string>>[] = [];
  const store = createRemoteStore(
    () => {
      const request = Promise.withResolvers<Result<string>>();
      requests.push(request);
      return request.promise;
    },
    () => clock.ms,
  );
  /** Answers the newest request and waits until the store has seen it. */
  async function answer(result: Result<string>): Promise<void> {
    requests.at(-1)?.resolve(result);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { store, clock, requests, answer };
}

describe('Retried reads', () => {
  test.each([
    ['a lost connection', NETWORK_FAILURE],
    ['a server error', failWith(503)],
  ])('a read is tried once more after %s', async (_, failure) => {
    const { store, requests, answer } = createFixture();
    void store.load();
    await answer(failure);
    expect(store.$state.get().status).toBe('loading');
    await answer(failure);
    expect(store.$state.get()).toEqual({ status: 'failed', data: null, failure });
    expect(requests).toHaveLength(2);
  });

  test.each([401, 403, 404, 429])('a read refused with %i is not tried again', async (status) => {
    const { store, requests, answer } = createFixture();
    void store.load();
    await answer(failWith(status));
    expect(store.$state.get().status).toBe('failed');
    expect(requests).toHaveLength(1);
  });
});

describe('Age of read data', () => {
  test('data that is shown again is read again after five minutes, and stays visible meanwhile', async () => {
    const { store, clock, requests, answer } = createFixture();
    store.loadIfStale();
    store.loadIfStale();
    await answer({ ok: true, data: 'first' });
    clock.ms = STALE_AFTER_MS - 1;
    store.loadIfStale();
    expect(requests).toHaveLength(1);
    clock.ms = STALE_AFTER_MS;
    store.loadIfStale();
    expect(store.$state.get()).toEqual({ status: 'loading', data: 'first', failure: null });
    await answer({ ok: true, data: 'second' });
    expect(store.$state.get().data).toBe('second');
  });

  test('a failed read is repeated only by the user', async () => {
    const { store, requests, answer } = createFixture();
    store.loadIfStale();
    await answer(failWith(403));
    store.loadIfStale();
    expect(requests).toHaveLength(1);
  });
});

describe('Answers that come too late', () => {
  test('data set while a request runs is not replaced by the older answer', async () => {
    const { store, answer } = createFixture();
    void store.load();
    store.setData('changed by the user');
    await answer({ ok: true, data: 'older' });
    expect(store.$state.get().data).toBe('changed by the user');
  });

  test('an answer to the previous user’s request is dropped', async () => {
    const { store, answer } = createFixture();
    void store.load();
    store.reset();
    await answer({ ok: true, data: 'of the previous user' });
    expect(store.$state.get()).toEqual({ status: 'idle', data: null, failure: null });
  });
});
