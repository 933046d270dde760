import { NO_SPEND, type Spend, addSpends } from './spend.ts';

/** A call that just ended may not be in the spend table yet, so it counts here for this long (ms), possibly twice. */
const SETTLE_MS = 10_000;

/**
 * The spend of running and just finished model calls. A running call counts with its maximum, so that concurrent calls
 * cannot pass the limit together.
 */
export class RunningSpend {
  readonly #maxCallMs: number;
  readonly #running = new Map<Spend, number>();
  #ended: { at: number; spend: Spend }[] = [];

  /** @param maxCallMs a call running longer counts as lost, for example because its client disconnected */
  constructor(maxCallMs: number) {
    this.#maxCallMs = maxCallMs;
  }

  /** Starts a call. @returns a function to call once at its end with the actual spend */
  start(most: Spend, now: number): (spent: Spend, now: number) => void {
    // A copy serves as the key, because two calls may have equal values.
    const held = { ...most };
    this.#running.set(held, now);
    return (spent, endedAt) => {
      if (this.#running.delete(held)) this.#ended.push({ at: endedAt, spend: spent });
    };
  }

  sum(now: number): Spend {
    this.#ended = this.#ended.filter(({ at }) => now - at < SETTLE_MS);
    for (const [held, at] of this.#running) if (now - at >= this.#maxCallMs) this.#running.delete(held);
    return [...this.#running.keys(), ...this.#ended.map(({ spend }) => spend)].reduce(addSpends, NO_SPEND);
  }

  reset(): void {
    this.#running.clear();
    this.#ended = [];
  }
}
