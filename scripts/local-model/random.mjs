/** Hashes a text to a number from 0 to 2^32-1 (FNV-1a). */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/**
 * Makes a repeatable source of numbers, 0 ≤ n < 1 (mulberry32).
 * @param {number} seed
 * @returns {() => number}
 */
export function makeRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns one entry of a list that is not empty. */
export const pick = (random, list) => list[Math.floor(random() * list.length)];

/** Returns a copy of the list in a random order. */
export const shuffle = (random, list) =>
  list
    .map((entry) => ({ entry, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
