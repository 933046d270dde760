/**
 * Remembers what was made for the latest keys: for what is costly to make, asked for again and again, and made of its key
 * alone. It stays in the memory of the isolate.
 * @param most how many keys are remembered
 * @param make may throw: then nothing is remembered
 */
export function latest<Made>(most: number, make: (key: string) => Made): (key: string) => Made {
  const kept = new Map<string, { made: Made }>();
  return (key) => {
    const before = kept.get(key);
    const found = before ?? { made: make(key) };
    // The one that was asked for last stands at the end.
    if (before !== undefined) kept.delete(key);
    kept.set(key, found);
    const oldest = kept.keys().next().value;
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return found.made;
  };
}
