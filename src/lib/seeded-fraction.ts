/**
 * Returns a number from 0 up to 1 that depends on the seed alone, so that a browser and a server draw the same lot.
 * FNV-1a with the final mixing of MurmurHash3: evenly spread, but no secret.
 */
export function computeSeededFraction(seed: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1)
    hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
