import { NOTHING_SPENT, type Spend, sumOfSpends } from './spend.ts';

/** What has just ended may not stand in the books yet: it counts here so much longer, in ms, if need be twice. */
const SETTLES_MS = 10_000;

/**
 * What calls of models are about to spend that run at this moment: each the most that it may, so that many at once cannot
 * all pass a bound together; and what those of the last moments spent.
 */
export class RunningSpend {
  readonly #running = new Set<Spend>();
  #ended: { at: number; spend: Spend }[] = [];

  /** @returns what ends it: told once, with what it really came to */
  begin(most: Spend): (spent: Spend, now: number) => void {
    // One of its own, for two may be worth the same.
    const held = { ...most };
    this.#running.add(held);
    return (spent, now) => {
      if (this.#running.delete(held)) this.#ended.push({ at: now, spend: spent });
    };
  }

  sum(now: number): Spend {
    this.#ended = this.#ended.filter(({ at }) => now - at < SETTLES_MS);
    return [...this.#running, ...this.#ended.map(({ spend }) => spend)].reduce(sumOfSpends, NOTHING_SPENT);
  }

  forget(): void {
    this.#running.clear();
    this.#ended = [];
  }
}
