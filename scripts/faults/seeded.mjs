// Chance that comes again: the same seed gives the same row of numbers.

/** A number for a text, to make seeds of seeds. */
export function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0), 0x01000193);
  return hash >>> 0;
}

/** @param {number} seed any whole number */
export function chance(seed) {
  let state = seed >>> 0;
  /** From 0 to 1. */
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
  const between = (least, most) => least + next() * (most - least);
  return {
    next,
    between,
    whole: (least, most) => Math.floor(between(least, most + 1)),
    is: (share) => next() < share,
    one: (list) => list[Math.floor(next() * list.length)],
    /** One of some names, each as likely as its weight says. */
    weighted(weights) {
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
