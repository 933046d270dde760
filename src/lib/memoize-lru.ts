/**
 * Memoizes an expensive pure function of a text in an LRU cache that lives as long as the isolate.
 * @param size maximum number of keys; the least recently used one is dropped
 * @param compute may throw, and then nothing is cached
 */
export function memoizeLru<Value>(size: number, compute: (key: string) => Value): (key: string) => Value {
  const cache = new Map<string, { value: Value }>();
  return (key) => {
    const cached = cache.get(key);
    const entry = cached ?? { value: compute(key) };
    // A Map keeps insertion order, so re-inserting a key makes it the most recently used one.
    if (cached !== undefined) cache.delete(key);
    cache.set(key, entry);
    const oldest = cache.keys().next().value;
    if (cache.size > size && oldest !== undefined) cache.delete(oldest);
    return entry.value;
  };
}

/**
 * Memoizes a cheaper function of many texts: a hit takes one look-up and reorders nothing.
 * @param size at least this number of the latest keys is kept, and at most twice as many
 */
export function memoizeRecent<Value extends NonNullable<unknown>>(
  size: number,
  compute: (key: string) => Value,
): (key: string) => Value {
  let recent = new Map<string, Value>();
  let older = recent;
  return (key) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const value = older.get(key) ?? compute(key);
    if (recent.size >= size) [older, recent] = [recent, new Map()];
    recent.set(key, value);
    return value;
  };
}
