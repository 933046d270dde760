import type { Clock } from '../clock.ts';

/** Something that is done at most once in a while, however often it is wanted. */
export interface Resting {
  /** Has it done once the while is over; until then more wishes are this one. */
  want(): void;
  /** Does at once what is wanted; nothing where it is not. */
  now(): void;
  /** It is not wanted any more. */
  callOff(): void;
}

/** @param ms the while, in milliseconds */
export function createResting(clock: Clock, ms: number, act: () => void): Resting {
  let waiting: (() => void) | null = null;
  const callOff = () => {
    waiting?.();
    waiting = null;
  };
  const now = () => {
    if (waiting === null) return;
    callOff();
    act();
  };
  return {
    want: () => void (waiting ??= clock.after(ms, now)),
    now,
    callOff,
  };
}
