import type { Clock } from '../clock.ts';

/** Something that is done at most once in a while, however often it is wanted. */
export interface Throttle {
  /** Has it done once the while is over; until then more wishes are this one. */
  schedule(): void;
  /** Does at once what is wanted; nothing where it is not. */
  flush(): void;
  /** It is not wanted any more. */
  cancel(): void;
}

/** @param ms the while, in milliseconds */
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
