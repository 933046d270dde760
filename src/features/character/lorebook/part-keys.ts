/** Length of a key in UTF-16 units; the rest of a longer key is ignored. */
const MAX_PART_CHARS = 64;
/** The characters by which keys are looked up first. */
const BEGINNING_CHARS = 2;

/** The keys with one beginning: their numbers, and the lengths that occur among them. */
interface Bucket {
  lengths: number[];
  numbers: Map<string, number>;
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase();

/**
 * Keys that match anywhere, also within a word: "moon" in "moonlight". Each place of a text is looked up by its
 * beginning and then by each length of a key with this beginning, so the time does not grow with the number of keys.
 */
export class PartKeys {
  readonly #folded = new Map<string, Bucket>();
  readonly #exact = new Map<string, Bucket>();

  /**
   * @param createNumber gives a new key its number
   * @returns the key's number, equal for equal keys; null for a blank key
   */
  add(key: string, caseSensitive: boolean, createNumber: () => number): number | null {
    const normal = caseSensitive ? key.normalize('NFKC') : fold(key);
    const text = normal.trim().slice(0, MAX_PART_CHARS);
    if (text === '') return null;
    const buckets = caseSensitive ? this.#exact : this.#folded;
    const beginning = text.slice(0, BEGINNING_CHARS);
    const bucket = buckets.get(beginning) ?? { lengths: [], numbers: new Map<string, number>() };
    buckets.set(beginning, bucket);
    if (!bucket.lengths.includes(text.length)) bucket.lengths.push(text.length);
    const known = bucket.numbers.get(text);
    if (known !== undefined) return known;
    const number = createNumber();
    bucket.numbers.set(text, number);
    return number;
  }

  /** Reports every occurrence of a key in a text. */
  find(text: string, found: (key: number) => void): void {
    if (this.#folded.size > 0) findIn(this.#folded, fold(text), found);
    if (this.#exact.size > 0) findIn(this.#exact, text.normalize('NFKC'), found);
  }
}

function findIn(buckets: ReadonlyMap<string, Bucket>, text: string, found: (key: number) => void): void {
  for (let at = 0; at < text.length; at += 1) {
    for (let beginning = 1; beginning <= BEGINNING_CHARS; beginning += 1) {
      const bucket = buckets.get(text.slice(at, at + beginning));
      // A key as long as its beginning is in the bucket of exactly that.
      for (const length of bucket?.lengths ?? []) {
        if (length < beginning) continue;
        const number = bucket?.numbers.get(text.slice(at, at + length));
        if (number !== undefined) found(number);
      }
    }
  }
}
