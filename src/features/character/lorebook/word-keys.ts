import type { StepBudget } from '../../../lib/linear-pattern.ts';
import { parseExactPhrase, tokenize } from '../../search/search-words.ts';

/** Length of a key in UTF-16 units; the rest of a longer key is ignored. */
const MAX_KEY_CHARS = 200;
/** Words of a key, or characters in a script without spaces; bounds the work for each position of a text. */
const MAX_KEY_WORDS = 16;

/** Signs before and after the words of a key that count: `C++`, `.NET`, `(old) tower`. */
const MAX_EDGE_SIGNS = 4;
/** Steps of a budget for comparing the writing of a range; a range may have keys of many shapes. */
const COMPARISON_STEPS = 10;

/** A node of the trie of the keys' words. */
interface KeyNode {
  next: Map<string, KeyNode>;
  /** Keys that end with a single character of a script without spaces, which starts a pair there. */
  begins: Map<string, KeyForms>;
  ends: KeyForms | null;
}

/** What a text has to show around or in a key's words. */
interface Shape {
  /** How many signs the key has before its first word and after its last one. */
  lead: number;
  trail: number;
  /** Whether its letters have to be the same, in the same case. */
  exact: boolean;
}

/** The keys that end at a node: for each shape, the numbers of the keys by their writing in that shape. */
type KeyForms = Map<string, { shape: Shape; numbers: Map<string, number> }>;

const createNode = (): KeyNode => ({ next: new Map(), begins: new Map(), ends: null });
const createForms = (): KeyForms => new Map();

const APOSTROPHES = /[‘’‚‛′]/gu;
const QUOTES = /[“”„‟″]/gu;
/** Typographic variants of a sign are equal, and any white space equals one blank, also across a line break. */
const normalizeWriting = (text: string) =>
  text.normalize('NFKC').replaceAll(/\s+/gu, ' ').replaceAll(APOSTROPHES, "'").replaceAll(QUOTES, '"');

/** How a text is written at a range, as a key of this shape is compared. */
function readWriting(text: string, from: number, to: number, { lead, trail, exact }: Shape): string {
  const start = Math.max(0, from - lead);
  if (exact) return normalizeWriting(text.slice(start, to + trail));
  return lead + trail === 0
    ? ''
    : normalizeWriting(`${text.slice(start, from)} ${text.slice(to, to + trail)}`);
}

/**
 * Keys as words in a trie, so that a text is scanned once, however many keys there are. A key matches like a search
 * phrase: whole words where words are separated by spaces, any position where they are not. Accents and widths do not
 * matter, and neither do signs between words; signs at the ends of a key have to be there.
 */
export class WordKeys {
  readonly #root = createNode();

  /**
   * @param createNumber gives a new key its number
   * @returns the key's number, equal for equal keys; null when it contains no word and can never match
   */
  add(key: string, caseSensitive: boolean, createNumber: () => number): number | null {
    const text = key.trim().slice(0, MAX_KEY_CHARS);
    const phrase = parseExactPhrase(text);
    const places = tokenize(text);
    const [first] = places;
    if (phrase === null || first === undefined) return null;
    const words = phrase.words.slice(0, MAX_KEY_WORDS);
    const isWhole = words.length === phrase.words.length;
    const begins = phrase.prefix && isWhole;
    let node = this.#root;
    for (const word of begins ? words.slice(0, -1) : words) node = getOrCreate(node.next, word, createNode);
    const forms = begins
      ? getOrCreate(node.begins, words.at(-1) ?? '', createForms)
      : (node.ends ??= createForms());
    const { to } = places[Math.min(places.length, MAX_KEY_WORDS) - 1] as { to: number };
    const shape: Shape = {
      lead: Math.min(first.from, MAX_EDGE_SIGNS),
      trail: isWhole ? Math.min(text.length - to, MAX_EDGE_SIGNS) : 0,
      exact: caseSensitive,
    };
    const { numbers } = getOrCreate(forms, `${shape.lead} ${shape.trail} ${shape.exact}`, () => ({
      shape,
      numbers: new Map<string, number>(),
    }));
    return getOrCreate(numbers, readWriting(text, first.from, to, shape), createNumber);
  }

  /** Reports the occurrences of keys in a text, until the budget is used up. */
  find(text: string, budget: StepBudget, found: (key: number) => void): void {
    if (this.#root.next.size === 0 && this.#root.begins.size === 0) return;
    const words = tokenize(text);
    const report = (forms: KeyForms | null | undefined, from: number, to: number) => {
      for (const { shape, numbers } of forms?.values() ?? []) {
        // Longer than any key: there is much text between these words that is not a word.
        if (shape.exact && to - from > 2 * MAX_KEY_CHARS) continue;
        budget.steps -= COMPARISON_STEPS;
        if (budget.steps < 0) return;
        const number = numbers.get(readWriting(text, from, to, shape));
        if (number !== undefined) found(number);
      }
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
