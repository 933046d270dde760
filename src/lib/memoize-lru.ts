/**
 * Memoizes an expensive pure function of a text for as long as the isolate lives.
 * @param size number of keys; the least recently used one is dropped
 * @param compute may throw: nothing is cached then
 */
export function memoizeLru<Value>(size: number, compute: (key: string) => Value): (key: string) => Value {
  const cache = new Map<string, { value: Value }>();
  return (key) => {
    const cached = cache.get(key);
    const entry = cached ?? { value: compute(key) };
    // A Map keeps the order of insertion: the most recently used key is its last.
    if (cached !== undefined) cache.delete(key);
    cache.set(key, entry);
    const oldest = cache.keys().next().value;
    if (cache.size > size && oldest !== undefined) cache.delete(oldest);
    return entry.value;
  };
}
