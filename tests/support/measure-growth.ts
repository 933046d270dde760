/** Below this, in microseconds, a measurement says little. */
const MIN_COST = 500;
const MAX_TRIES = 3;

/**
 * Measures how many times longer a long text takes than a short one. Other work on the machine can raise a measurement by
 * chance, so the lowest of up to three counts; work that is not linear is above the limit every time.
 * @param measureCost the processor time for a text of that length, in microseconds
 * @param limit a ratio below it needs no further try
 */
export function measureGrowth(
  measureCost: (length: number) => number,
  { short, long, limit }: { short: number; long: number; limit: number },
): number {
  measureCost(short);
  let lowest = Infinity;
  for (let tries = 0; tries < MAX_TRIES && lowest >= limit; tries += 1)
    lowest = Math.min(lowest, measureCost(long) / Math.max(MIN_COST, measureCost(short)));
  return lowest;
}
