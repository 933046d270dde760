import { NO_SPEND, type Spend, addSpends } from './spend.ts';

/** What has just ended may not stand in the books yet: it counts here so much longer, in ms, if need be twice. */
const SETTLE_MS = 10_000;

/**
 * What calls of models are about to spend that run at this moment: each the most that it may, so that many at once cannot
 * all pass a bound together; and what those of the last moments spent.
 */
export class RunningSpend {
  readonly #maxCallMs: number;
  readonly #running = new Map<Spend, number>();
  #ended: { at: number; spend: Spend }[] = [];

  /**
   * @param maxCallMs no call takes longer: one that still runs then has ended unheard, as with a request whose client left
   */
  constructor(maxCallMs: number) {
    this.#maxCallMs = maxCallMs;
  }

  /** @returns what ends it: told once, with what it really came to */
  start(most: Spend, now: number): (spent: Spend, now: number) => void {
    // One of its own, for two may be worth the same.
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
