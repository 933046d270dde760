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

/** How many ways there are of going through what all characters share. */
export const PLACES = 6;
/** Mixed into the name. With this number the bundled characters of one setting all get different places. */
const SPREAD = 46805;

/**
 * Where a character begins in lists that others use too, so that two of one setting do not say the same at the same time.
 * @param {string} name the character's
 * @returns {number} 0 … PLACES - 1, always the same for the same name
 */
export function placeOf(name) {
  // The low bits of the hash alone are hardly mixed.
  return Math.floor(makeRandom(hash(name) ^ SPREAD)() * PLACES);
}

/**
 * A copy of the list that begins at a place: a few entries at a time in a random order, then the next few.
 * @template T
 * @param {() => number} random
 * @param {readonly T[]} list
 * @param {number} place 0 … PLACES - 1
 * @param {(entry: T) => string} textOf what an entry is known by, so that it keeps its position whatever else is in the list
 * @returns {T[]}
 */
export function shuffledFrom(random, list, place, textOf) {
  const start = place / PLACES;
  const ordered = list
    .map((entry) => ({ entry, at: (hash(textOf(entry)) / 2 ** 32 - start + 1) % 1 }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
  // At least two, or asking again would bring the same line again.
  const few = Math.max(2, Math.ceil(list.length / PLACES));
  const result = [];
  for (let i = 0; i < ordered.length; i += few) result.push(...shuffled(random, ordered.slice(i, i + few)));
  return result;
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
