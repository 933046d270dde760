import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForLogins } from '../../../../../src/islands/shared/device-session/confirm-end.ts';
import { acquireLoginLock } from '../../../../../src/islands/shared/device-session/login-lock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Locks of a browser in which one login at a time holds the lock. */
function stubLocks(): void {
  let held: Promise<unknown> = Promise.resolve();
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, ...rest: unknown[]) => {
        const run = rest.at(-1) as () => unknown;
        return (held = held.then(run));
      },
    },
  });
}

test.each([true, false])(
  'a login’s answer is passed on, and its cookie is waited for (locks: %s)',
  async (hasLocks) => {
    if (hasLocks) stubLocks();
    else vi.stubGlobal('navigator', {});
    let answer: (text: string) => void = () => {};
    const login = acquireLoginLock(() => new Promise<string>((resolve) => (answer = resolve)));
    let isOver = false;
    const waiting = waitForLogins().then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    if (hasLocks) {
      await vi.advanceTimersByTimeAsync(5000);
      expect(isOver).toBe(false);
    }
    answer('logged in');
    expect(await login).toBe('logged in');
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
    expect(isOver).toBe(true);
  },
);

test('a login that fails does not keep others waiting', async () => {
  stubLocks();
  await expect(acquireLoginLock(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const waiting = waitForLogins();
  await vi.advanceTimersByTimeAsync(1000);
  await waiting;
});
