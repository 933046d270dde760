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
