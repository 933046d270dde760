import type { Clock } from '../clock.ts';

/** Runs a function at most once per interval. */
export interface Throttle {
  /** Runs it at the end of the interval; further calls until then have no effect. */
  schedule(): void;
  /** Runs it now if it is scheduled. */
  flush(): void;
  cancel(): void;
}

/** @param ms the interval in milliseconds */
export function createThrottle(clock: Clock, ms: number, run: () => void): Throttle {
  let cancelTimer: (() => void) | null = null;
  const cancel = () => {
    cancelTimer?.();
    cancelTimer = null;
  };
  const flush = () => {
    if (cancelTimer === null) return;
    cancel();
    run();
  };
  return {
    schedule: () => void (cancelTimer ??= clock.after(ms, flush)),
    flush,
    cancel,
  };
}
