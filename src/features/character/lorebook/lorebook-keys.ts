import { parseExactPhrase, tokenize } from '../../search/search-words.ts';

/** Of one key, in UTF-16 units: what goes on after that is not looked for. */
export const MAX_KEY_CHARS = 200;
/** Words of one key, of a script without spaces its characters; a bound for each place of a text that is looked at. */
export const MAX_KEY_WORDS = 16;

/** A place on the way through the words of keys. */
interface KeyNode {
  next: Map<string, KeyNode>;
  /** Keys that end with one character of a script without spaces, which stands at the beginning of a pair. */
  begins: Map<string, KeyMatches>;
  ends: KeyMatches | null;
}

/** The keys that end here: one whose case makes no difference, and others by how they are written. */
interface KeyMatches {
  folded: number | null;
  exact: Map<string, number>;
}

const createNode = (): KeyNode => ({ next: new Map(), begins: new Map(), ends: null });
const createKeyMatches = (): KeyMatches => ({ folded: null, exact: new Map() });

/** Blanks of any kind are one, so that a key is found across a line's end. */
const collapseWhitespace = (text: string) => text.replaceAll(/\s+/gu, ' ');

/**
 * The keys of a lorebook by their words, so that a text is gone through once, however many keys there are. A key is found
 * as the search finds a phrase: whole words where words have spaces between them, any place where they have none; accents
 * and widths make no difference.
 */
export class LoreKeys {
  readonly #root = createNode();
  #count = 0;

  /** How many different keys there are. */
  get count(): number {
    return this.#count;
  }

  /** @returns the key's number, the same for the same key; null when it holds no word and can never be found */
  add(key: string, caseSensitive: boolean): number | null {
    const text = key.slice(0, MAX_KEY_CHARS);
    const phrase = parseExactPhrase(text);
    if (phrase === null) return null;
    const words = phrase.words.slice(0, MAX_KEY_WORDS);
    const begins = phrase.prefix && words.length === phrase.words.length;
    let node = this.#root;
    for (const word of begins ? words.slice(0, -1) : words) node = getOrCreate(node.next, word, createNode);
    const ends = begins
      ? getOrCreate(node.begins, words.at(-1) ?? '', createKeyMatches)
      : (node.ends ??= createKeyMatches());
    if (!caseSensitive) return (ends.folded ??= this.#count++);
    const places = tokenize(text);
    const last = places[Math.min(places.length, MAX_KEY_WORDS) - 1];
    const written = collapseWhitespace(text.slice(places[0]?.from, last?.to));
    return getOrCreate(ends.exact, written, () => this.#count++);
  }

  /** Tells of every key that stands in a text, as often as it does. In time by the text's length alone. */
  find(text: string, found: (key: number) => void): void {
    if (this.#count === 0) return;
    const words = tokenize(text);
    const report = (ends: KeyMatches | null | undefined, from: number, to: number) => {
      if (ends == null) return;
      if (ends.folded !== null) found(ends.folded);
      // Longer than any key can be: much that is not a word lies between these.
      if (ends.exact.size === 0 || to - from > 2 * MAX_KEY_CHARS) return;
      const exact = ends.exact.get(collapseWhitespace(text.slice(from, to)));
      if (exact !== undefined) found(exact);
    };
    for (const [start, { from }] of words.entries()) {
      let node: KeyNode | undefined = this.#root;
      for (let index = start; node !== undefined; index += 1) {
        const word = words[index];
        if (word === undefined) break;
        if (node.begins.size > 0) report(node.begins.get(getFirstCharacter(word.word)), from, word.firstTo);
        node = node.next.get(word.word);
        report(node?.ends, from, word.to);
      }
    }
  }
}

function getOrCreate<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const getFirstCharacter = (word: string) => String.fromCodePoint(word.codePointAt(0) ?? 0);
