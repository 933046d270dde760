/** The seed of generated cases, the same in every run. */
export const SEED = 20_261_122;

/**
 * Numbers between 0 and 1, the same in every run (a linear congruential generator with the constants of Numerical Recipes).
 */
export function createRandom(seed = SEED): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
