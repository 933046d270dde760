import { useCallback, useSyncExternalStore } from 'react';
import { getSecondsLeft } from '../retry-wait.ts';

/** Counts down the whole seconds until a time in milliseconds since 1970; 0 for null and once it has passed. */
export function useSecondsLeft(until: number | null): number {
  const count = useCallback(() => getSecondsLeft(until, Date.now()), [until]);
  const subscribe = useCallback(
    (redraw: () => void) => {
      if (count() === 0) return () => {};
      const timer = setInterval(() => {
        if (count() === 0) clearInterval(timer);
        redraw();
      }, 1000);
      return () => clearInterval(timer);
    },
    [count],
  );
  return useSyncExternalStore(subscribe, count, () => 0);
}
