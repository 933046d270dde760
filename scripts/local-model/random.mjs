/**
 * A 32-bit number that is always the same for the same text (FNV-1a).
 * @param {string} text
 * @returns {number} 0 … 2^32-1
 */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    value ^= text.charCodeAt(i);
    value = Math.imul(value, 0x01000193);
  }
  return value >>> 0;
}

/**
 * A repeatable source of numbers (mulberry32).
 * @param {number} seed
 * @returns {() => number} each call gives the next number, 0 ≤ n < 1
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

/**
 * One entry of a list.
 * @template T
 * @param {() => number} random
 * @param {readonly T[]} list not empty
 * @returns {T}
 */
export function pick(random, list) {
  return list[Math.floor(random() * list.length)];
}

/**
 * A copy of the list in another order.
 * @template T
 * @param {() => number} random
 * @param {readonly T[]} list
 * @returns {T[]}
 */
export function shuffled(random, list) {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}
