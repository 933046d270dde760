import { inWords, plainLetters } from './crisis-text.ts';
import type { Needs } from './crisis-needs.ts';
import { isStretched, STRETCHED_AT_MOST } from './stretched.ts';

/** In UTF-16 units: so much before a new piece is read again with it, for words that began there or are spelt out. */
const AGAIN = 60 + STRETCHED_AT_MOST;

/** As many words as are read again and again, many times over. */
const MARKED_AT_MOST = 500;

/** One place of one entry. */
interface Spot {
  entry: number;
  place: number;
}

/** By which words the places of many entries are filled; made once for a list, and asked by each text. */
export interface NeedsIndex {
  whole: ReadonlyMap<string, readonly Spot[]>;
  begun: ReadonlyMap<string, readonly Spot[]>;
  /** How many places each entry has. */
  sizes: readonly number[];
}

/** @param entries an entry without a place may stand everywhere, and is not to be among them */
export function indexOfNeeds(entries: readonly Needs[]): NeedsIndex {
  const [whole, begun] = [new Map<string, Spot[]>(), new Map<string, Spot[]>()];
  const add = (map: Map<string, Spot[]>, word: string, spot: Spot) => {
    const spots = map.get(word);
    if (spots === undefined) map.set(word, [spot]);
    else spots.push(spot);
  };
  for (const [entry, places] of entries.entries())
    for (const [place, ways] of places.entries()) {
      for (const word of ways.whole) add(whole, word, { entry, place });
      for (const word of ways.begun) add(begun, word, { entry, place });
    }
  return { whole, begun, sizes: entries.map(({ length }) => length) };
}

/**
 * Whether a text that grows may hold one of many entries in its last words: by the words alone that each of them needs, so
 * that what would find it has to be asked only then. It may say yes too often, and never no where one stands.
 */
export class NeedsTold {
  readonly #index: NeedsIndex;
  readonly #reach: number;
  /** By entry and place: where in the text a word stood last that fills it. */
  readonly #seen: number[][];
  /** Where a word was marked last: those that are read again are not marked again. */
  readonly #marked = new Map<string, number>();
  #at = 0;
  #hotAt = -Infinity;

  /** @param reach in UTF-16 units: within so much of the text's end an entry is looked for */
  constructor(index: NeedsIndex, reach: number) {
    this.#index = index;
    this.#reach = reach + 2 * AGAIN;
    this.#seen = index.sizes.map((size) => Array.from({ length: size }, () => -Infinity));
  }

  /** @param text as much of the text as there is, up to its end, @param fresh how much of that is new */
  takes(text: string, fresh: number): boolean {
    this.#at += fresh;
    // Of a word that is longer than what is read again nothing is known.
    if (isStretched(text, fresh)) this.#hotAt = this.#at;
    const words = inWords(plainLetters(text.slice(-(fresh + AGAIN))));
    if (this.#marked.size > MARKED_AT_MOST) this.#marked.clear();
    for (const word of words.split(' ')) this.#mark(word);
    return this.#at - this.#hotAt <= this.#reach;
  }

  #mark(word: string): void {
    const markedAt = this.#marked.get(word);
    if (markedAt !== undefined && this.#at - markedAt <= AGAIN) return;
    this.#marked.set(word, this.#at);
    const { whole, begun } = this.#index;
    this.#fill(whole.get(word));
    for (let end = 1; end <= word.length; end += 1) this.#fill(begun.get(word.slice(0, end)));
  }

  #fill(spots: readonly Spot[] = []): void {
    for (const { entry, place } of spots) {
      const places = this.#seen[entry] as number[];
      places[place] = this.#at;
      if (places.every((at) => this.#at - at <= this.#reach)) this.#hotAt = this.#at;
    }
  }
}
