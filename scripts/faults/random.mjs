// Random numbers that a seed repeats.

/** Hashes a text to a number, to derive seeds from seeds. */
export function hashText(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193);
  return hash >>> 0;
}

/** @param {number} seed any integer */
export function createRandom(seed) {
  let state = seed >>> 0;
  /** A number from 0 to 1. */
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
  const between = (min, max) => min + next() * (max - min);
  return {
    next,
    between,
    integer: (min, max) => Math.floor(between(min, max + 1)),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)],
    /** Picks a name with the probability of its weight. */
    pickWeighted(weights) {
      const all = Object.entries(weights);
      let left = next() * all.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of all) {
        left -= weight;
        if (left <= 0) return name;
      }
      return all.at(-1)[0];
    },
  };
}
