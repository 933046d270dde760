export interface ModelTimeouts {
  /** Milliseconds of waiting without one byte. */
  idleMs: number;
  /** Milliseconds from the start until the first text, whatever else arrives. */
  firstTextMs: number;
  /** Milliseconds from the start until the end. */
  totalMs: number;
}

/** Why waiting was given up. `grace` is no fault: the end was known, its trailer did not come. */
export type DeadlineStop = { code: 'timed_out' | 'aborted' | 'grace'; detail: string };

export type WaitResult<T> =
  | { state: 'came'; value: T }
  | { state: 'broke'; error: unknown }
  | { state: 'stopped'; stop: DeadlineStop };

/** Waits for one call's work, and gives up by its limits or its caller's signal. */
export interface Deadline {
  /** Waits for `work`; never rejects. Work that is given up goes on unwatched: end it yourself. */
  wait<T>(work: Promise<T>): Promise<WaitResult<T>>;
  /** Says that text came, so `firstTextMs` no longer counts. */
  recordText(): void;
  /** From now on waits `ms` milliseconds in all, and no other limit counts. */
  allowGrace(ms: number): void;
  /** Stops the clock and leaves the signal. */
  close(): void;
}

/** Starts the clock of one call. One timer serves the whole call: a timer for each chunk would cost more than its parsing. */
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
    // Bytes that wait for a slow reader of this call are not the provider's silence.
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
        // Attached even when nobody waits any more, so that a late rejection is not unhandled.
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
