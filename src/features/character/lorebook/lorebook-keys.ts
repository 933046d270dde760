import { compileLinearPattern, type LinearPattern, type StepBudget } from '../../../lib/linear-pattern.ts';
import { PartKeys } from './part-keys.ts';
import { WordKeys } from './word-keys.ts';

/** Length of a pattern in UTF-16 units; a longer one never matches. */
const MAX_PATTERN_CHARS = 500;
/** Instructions of all patterns of a lorebook; further patterns never match. */
const MAX_INSTRUCTIONS = 20_000;

/** How the keys of an entry are compared with a text. */
export interface KeyRules {
  caseSensitive: boolean;
  /** Whether a key matches whole words only. */
  wholeWords: boolean;
}

/** A regular expression between slashes, with its flags, as SillyTavern recognizes one. */
const SLASHED_PATTERN = /^\/(.+)\/([gimsuy]*)$/su;
/** A slash that is not escaped: such a text is a path or a list, not a pattern. */
const BARE_SLASH = /(?:^|[^\\])(?:\\\\)*\//u;

/** Splits a key that is a pattern; null for words. */
export function parseSlashedPattern(key: string): { source: string; flags: string } | null {
  const [, source = '', flags = ''] = SLASHED_PATTERN.exec(key.trim()) ?? [];
  return source === '' || BARE_SLASH.test(source) ? null : { source, flags };
}

/** Whether a key is a pattern that is never run because it is invalid, too long or not supported. */
export function isUnusablePattern(key: string): boolean {
  const pattern = parseSlashedPattern(key);
  return pattern !== null && compilePattern(pattern) === null;
}

const compilePattern = ({ source, flags }: { source: string; flags: string }): LinearPattern | null =>
  source.length > MAX_PATTERN_CHARS ? null : compileLinearPattern(source, flags);

/** All keys of a lorebook. Each has a number, and a text is scanned for all of them together. */
export class LoreKeys {
  readonly #words = new WordKeys();
  readonly #parts = new PartKeys();
  readonly #patterns = new Map<string, { pattern: LinearPattern; number: number }>();
  #count = 0;
  #instructions = 0;

  /** The number of different keys. */
  get count(): number {
    return this.#count;
  }

  /** @returns the key's number, equal for equal keys; null when it can never match */
  add(key: string, { caseSensitive, wholeWords }: KeyRules): number | null {
    const createNumber = () => this.#count++;
    const slashed = parseSlashedPattern(key);
    if (slashed !== null) return this.#addPattern(slashed, createNumber);
    return wholeWords
      ? this.#words.add(key, caseSensitive, createNumber)
      : this.#parts.add(key, caseSensitive, createNumber);
  }

  #addPattern(slashed: { source: string; flags: string }, createNumber: () => number): number | null {
    const id = `${slashed.flags}/${slashed.source}`;
    const known = this.#patterns.get(id);
    if (known !== undefined) return known.number;
    const pattern = this.#instructions < MAX_INSTRUCTIONS ? compilePattern(slashed) : null;
    if (pattern === null) return null;
    this.#instructions += pattern.size;
    const number = createNumber();
    this.#patterns.set(id, { pattern, number });
    return number;
  }

  /**
   * Reports every key that occurs in a text. The time depends on the length of the text, not on the number of keys,
   * except for patterns and for keys of the same words that differ in signs and case, which share the budget.
   */
  find(text: string, budget: StepBudget, found: (key: number) => void): void {
    this.#words.find(text, budget, found);
    this.#parts.find(text, found);
    for (const { pattern, number } of this.#patterns.values()) if (pattern.isIn(text, budget)) found(number);
  }
}
