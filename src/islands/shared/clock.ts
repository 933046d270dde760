/** Time and timers, replaceable in tests. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Runs the function once after a delay.
   * @returns a function that cancels it
   */
  after(ms: number, run: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
