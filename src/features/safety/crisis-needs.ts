/**
 * Which words a text has to have for an entry of a word list to stand in it. It spares regular expressions from being
 * compiled for texts of other languages, so it may say yes too often, and never no where the expression would match.
 */

/** What one place of an entry may begin with: whole words, or beginnings of words with `*` behind them. */
type Ways = readonly string[];

/** The same, as texts are asked for it. */
interface Place {
  whole: readonly string[];
  begun: readonly string[];
}

/** An entry by its places that have to be filled; one without any may stand everywhere. */
export type Needs = readonly Place[];

const LETTERS = /^[\p{L}\p{M}\p{N}]+/u;
/** Behind a sign: that it may be missing, or stand there more than once. */
const QUANTIFIERS = '?+{';
const GAP = /^\.{2,3}$/;

/** Whether a word ends there: a blank that may be missing parts nothing, and what is behind it may belong to the word. */
const isApart = (pattern: string, at: number): boolean =>
  pattern[at] === ' ' && !`${QUANTIFIERS}*`.includes(pattern[at + 1] ?? '-');

/** The parts of a pattern at a sign outside of all brackets. */
function splitAt(pattern: string, sign: string): string[] {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const one = pattern.charAt(at);
    if (one === '(' || one === '[') depth += 1;
    if (one === ')' || one === ']') depth -= 1;
    if (depth === 0 && one === sign && (sign !== ' ' || isApart(pattern, at))) parts.push('');
    else parts[parts.length - 1] += one;
  }
  return parts;
}

/** Where the bracket that a pattern begins with ends. */
function groupEnd(pattern: string): number {
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '(' || pattern[at] === '[') depth += 1;
    if (pattern[at] === ')' || pattern[at] === ']') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** What a pattern begins with, or holds in any case; null where that is not known, or it may be left out. */
function beginningsOf(pattern: string): Ways | null {
  const [run = ''] = LETTERS.exec(pattern) ?? [];
  const next = pattern[run.length] ?? '';
  if (run !== '') {
    if (next === '') return [run];
    if (isApart(pattern, run.length)) return [run];
    const sure = QUANTIFIERS.includes(next) ? run.slice(0, -1) : run;
    return sure === '' ? null : [`${sure}*`];
  }
  const end = pattern.startsWith('(') ? groupEnd(pattern) : -1;
  if (end === -1) return null;
  const inner = pattern.slice(1, end).replace(/^\?:/, '');
  if (inner.startsWith('?')) return null;
  const alternatives = splitAt(inner, '|');
  // Words that may be missing, and after them the ones that may not.
  if ('?*'.includes(pattern[end + 1] ?? '-') && alternatives.every((words) => words.endsWith(' ')))
    return beginningsOf(pattern.slice(end + 2));
  if (`${QUANTIFIERS}*`.includes(pattern[end + 1] ?? '-')) return null;
  const ways = alternatives.map(rarestOf);
  if (ways.some((way) => way === null)) return null;
  // What is written right behind the bracket belongs to the word.
  const isWhole = end === pattern.length - 1 || isApart(pattern, end + 1);
  return ways.flatMap((way) =>
    (way ?? []).map((word) => (isWhole || word.endsWith('*') ? word : `${word}*`)),
  );
}

/** Of the words that stand there together, the one that is found least; null where none is known. */
function rarestOf(words: string): Ways | null {
  const places = splitAt(words, ' ')
    .map(beginningsOf)
    .filter((place) => place !== null);
  const shortest = (place: Ways) => Math.min(...place.map((word) => word.length));
  return places.toSorted((a, b) => a.length - b.length || shortest(b) - shortest(a))[0] ?? null;
}

function needsOf(entry: string): Needs {
  if (entry.includes('\\')) return [];
  const ways = splitAt(entry, '|');
  const parts = ways.length === 1 ? splitAt(entry, ' ').filter((part) => !GAP.test(part)) : [`(${entry})`];
  const places = parts.map(beginningsOf).filter((place) => place !== null);
  // Where there is least choice, most texts are done with.
  return places
    .toSorted((a, b) => a.length - b.length)
    .map((ways) => ({
      whole: ways.filter((word) => !word.endsWith('*')),
      begun: ways.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1)),
    }));
}

/** @param entries plain, as they are written in a list of words that are parted by blanks */
export const neededWords = (entries: readonly string[]): Needs[] => entries.map(needsOf);

interface Known {
  text: string;
  words: ReadonlySet<string>;
  /** Their beginnings, which endings are asked of. */
  begun: ReadonlySet<string>;
}
let known: Known = { text: '', words: new Set(), begun: new Set() };

function wordsOf(text: string): Known {
  // Every list is asked of one text in turn.
  if (known.text === text) return known;
  const words = new Set(text.split(' '));
  const begun = new Set<string>();
  for (const word of words) for (let end = 1; end <= word.length; end += 1) begun.add(word.slice(0, end));
  return (known = { text, words, begun });
}

/** Whether an entry may stand in a text. @param text plain, its words between blanks */
export function mayStandIn(text: string, needs: Needs): boolean {
  const { words, begun } = wordsOf(text);
  return needs.every(
    (place) => place.whole.some((word) => words.has(word)) || place.begun.some((word) => begun.has(word)),
  );
}
