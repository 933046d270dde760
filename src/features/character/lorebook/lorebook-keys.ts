import { parseExactPhrase, tokenize } from '../../search/search-words.ts';

/** Length of a key in UTF-16 units; the rest of a longer key is ignored. */
export const MAX_KEY_CHARS = 200;
/** Words of a key, or characters in a script without spaces; bounds the work for each position of a text. */
export const MAX_KEY_WORDS = 16;

/** A node of the trie of the keys' words. */
interface KeyNode {
  next: Map<string, KeyNode>;
  /** Keys that end with a single character of a script without spaces, which starts a pair there. */
  begins: Map<string, KeyMatches>;
  ends: KeyMatches | null;
}

/** The keys that end at a node: one that ignores case, and others by their exact spelling. */
interface KeyMatches {
  folded: number | null;
  exact: Map<string, number>;
}

const createNode = (): KeyNode => ({ next: new Map(), begins: new Map(), ends: null });
const createKeyMatches = (): KeyMatches => ({ folded: null, exact: new Map() });

/** Any white space equals one blank, so that a key matches across a line break. */
const collapseWhitespace = (text: string) => text.replaceAll(/\s+/gu, ' ');

/**
 * The keys of a lorebook as a trie of words, so that a text is scanned once, however many keys there are. A key matches
 * like a search phrase: whole words where words are separated by spaces, any position where they are not. Accents and
 * widths do not matter.
 */
export class LoreKeys {
  readonly #root = createNode();
  #count = 0;

  /** The number of different keys. */
  get count(): number {
    return this.#count;
  }

  /** @returns the key's number, equal for equal keys; null when it contains no word and can never match */
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

  /** Reports every occurrence of a key in a text. The time depends on the length of the text only. */
  find(text: string, found: (key: number) => void): void {
    if (this.#count === 0) return;
    const words = tokenize(text);
    const report = (ends: KeyMatches | null | undefined, from: number, to: number) => {
      if (ends == null) return;
      if (ends.folded !== null) found(ends.folded);
      // Longer than any key: there is much text between these words that is not a word.
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
