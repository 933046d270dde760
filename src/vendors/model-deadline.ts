export interface ModelTimeouts {
  /** Maximum milliseconds without a byte. */
  idleMs: number;
  /** Maximum milliseconds from the start to the first text, regardless of other data. */
  firstTextMs: number;
  /** Maximum milliseconds from the start to the end. */
  totalMs: number;
}

/** Why waiting stopped. `grace` is not an error: the end was known, only its trailer was missing. */
export type DeadlineStop = { code: 'timed_out' | 'aborted' | 'grace'; detail: string };

export type WaitResult<T> =
  | { state: 'came'; value: T }
  | { state: 'broke'; error: unknown }
  | { state: 'stopped'; stop: DeadlineStop };

/** Waits for the work of one call, up to its limits or until its signal aborts. */
export interface Deadline {
  /** Waits for `work` and never rejects. Does not cancel abandoned work: the caller must. */
  wait<T>(work: Promise<T>): Promise<WaitResult<T>>;
  /** Reports the first text, so that `firstTextMs` no longer applies. */
  recordText(): void;
  /** Replaces all limits by a single one of `ms` milliseconds from now. */
  allowGrace(ms: number): void;
  /** Clears the timer and removes the abort listener. */
  close(): void;
}

/**
 * Starts the deadline of one call. One timer serves the whole call: a timer per chunk would cost more than parsing the
 * chunk.
 */
export function startDeadline(signal: AbortSignal, limits: ModelTimeouts): Deadline {
  const startedAt = performance.now();
  let waitingSince: number | null = null;
  let hasText = false;
  let graceUntil: number | null = null;
  let stop: DeadlineStop | null = null;
  let notifyWaiter: ((stop: DeadlineStop) => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stopWaiting(reason: DeadlineStop): void {
    stop ??= reason;
    clearTimeout(timer);
    notifyWaiter?.(stop);
  }

  function getNearestLimit(): { at: number; stop: DeadlineStop } {
    if (graceUntil !== null) return { at: graceUntil, stop: { code: 'grace', detail: '' } };
    // While a slow consumer holds up reading, the provider is not silent.
    const idleAt = (waitingSince ?? performance.now()) + limits.idleMs;
    const textAt = hasText ? Infinity : startedAt + limits.firstTextMs;
    const totalAt = startedAt + limits.totalMs;
    const at = Math.min(idleAt, textAt, totalAt);
    if (at === totalAt)
      return { at, stop: { code: 'timed_out', detail: `not over after ${limits.totalMs} ms` } };
    if (at === textAt)
      return { at, stop: { code: 'timed_out', detail: `no text in ${limits.firstTextMs} ms` } };
    return { at, stop: { code: 'timed_out', detail: `no byte in ${limits.idleMs} ms` } };
  }

  function watch(): void {
    const due = getNearestLimit();
    const left = due.at - performance.now();
    if (left <= 0) stopWaiting(due.stop);
    else timer = setTimeout(watch, Math.ceil(left));
  }

  function onAbort(): void {
    stopWaiting({ code: 'aborted', detail: 'the caller stopped it' });
  }

  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  else watch();

  return {
    wait<T>(work: Promise<T>) {
      return new Promise<WaitResult<T>>((resolve) => {
        const settle = (step: WaitResult<T>): void => {
          waitingSince = null;
          notifyWaiter = null;
          resolve(step);
        };
        // Attach handlers even after the stop, or a late rejection would be unhandled.
        work.then(
          (value) => stop === null && settle({ state: 'came', value }),
          (error: unknown) => stop === null && settle({ state: 'broke', error }),
        );
        if (stop !== null) {
          settle({ state: 'stopped', stop });
          return;
        }
        waitingSince = performance.now();
        notifyWaiter = (reason) => settle({ state: 'stopped', stop: reason });
      });
    },
    recordText() {
      hasText = true;
    },
    allowGrace(ms) {
      if (stop !== null) return;
      graceUntil = performance.now() + ms;
      clearTimeout(timer);
      watch();
    },
    close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
