import { toPlainText } from '../markup/parse-markup.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { findMatches, MAX_INDEXED_CHARS, tokenize, type Phrase, type TextMatch } from './search-words.ts';

/** A snippet's longest, and how much of that stands before the first found word; in UTF-16 units. */
export const MAX_SNIPPET_CHARS = 160;
const LEADING_CHARS = 48;
/** A cut moves back to the last blank when that costs no more than this. */
const MAX_WORD_SNAP_CHARS = 16;
/** A character with more marks on it than any language writes is cut through. */
const MAX_CLUSTER_CHARS = 64;
/** More marks than a snippet can show as such. */
const MAX_MARKS = 20;

const ELLIPSIS = '…';
/** What would be no text in a list: blanks in a row, asterisks that never closed, signs that turn the direction around. */
const CLUTTER =
  /(?<blank>\s+)|(?<![\p{L}\p{N}*])\*+(?=\S)|(?<=\S)(?<!\*)\*+(?![\p{L}\p{N}*])|[\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A piece of a text and where in it the found words stand: `[from, to)` in UTF-16 units, in order, apart. */
export interface Snippet {
  snippet: string;
  marks: [number, number][];
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The edges of the character that a place lies within; the place itself, twice, where it is an edge. Of a flood of
 * marks on one character only whole code points are kept together.
 */
function findGraphemeEdges(text: string, at: number): [number, number] {
  if (at <= 0 || at >= text.length) return at <= 0 ? [0, 0] : [text.length, text.length];
  const start = Math.max(0, at - MAX_CLUSTER_CHARS);
  const window = text.slice(start, at + MAX_CLUSTER_CHARS);
  const around = segmenter.segment(window).containing(at - start);
  const from = start + (around?.index ?? at - start);
  const to = from + (around?.segment.length ?? 0);
  if (from === at || around === undefined) return [at, at];
  const isFlood = (from === start && start > 0) || (to === start + window.length && to < text.length);
  if (!isFlood) return [from, to];
  return isInsideSurrogatePair(text, at) ? [at - 1, at + 1] : [at, at];
}

/** Whether a place lies between the two halves of one code point. */
function isInsideSurrogatePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

const snapToGrapheme = (text: string, at: number): number => findGraphemeEdges(text, at)[0];

/** A cut between words where one is near, else between characters. */
function snapToWord(text: string, at: number, earliest: number): number {
  const cut = snapToGrapheme(text, at);
  if (cut <= earliest || cut >= text.length) return Math.max(cut, earliest);
  const tail = text.slice(Math.max(earliest, cut - MAX_WORD_SNAP_CHARS), cut + 1);
  const blank = tail.search(/\s\S*$/u);
  return blank === -1 ? cut : Math.max(earliest, cut - (tail.length - 1 - blank));
}

/** Where the piece begins that shows the most of what was looked for; the earliest of several. */
function pickBestMatch(places: readonly TextMatch[]): TextMatch | undefined {
  let best: TextMatch | undefined;
  let most = 0;
  for (const [index, place] of places.entries()) {
    const shown = new Set<number>();
    for (const other of places.slice(index, index + MAX_MARKS)) {
      if (other.to <= place.from + MAX_SNIPPET_CHARS - LEADING_CHARS) shown.add(other.phrase);
    }
    if (shown.size > most) [best, most] = [place, shown.size];
  }
  return best;
}

/** Places that touch or overlap as one. */
function mergeMarks(places: readonly TextMatch[]): [number, number][] {
  const marks: [number, number][] = [];
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    const last = marks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  return marks;
}

/**
 * A piece of a message round what was looked for, for a list of what was found: one line, whole characters, at most
 * {@link MAX_SNIPPET_CHARS} units and two dots. It reads as the message does, without its marks; with them only where what
 * was looked for stands in one, such as a link's address.
 * @returns null when not every phrase stands in the text
 */
export function buildSnippet(text: string, phrases: readonly Phrase[]): Snippet | null {
  const read = text.slice(0, MAX_INDEXED_CHARS);
  const isCut = text.length > read.length;
  return buildPiece(toPlainText(read), phrases, isCut) ?? buildPiece(sanitizeText(read), phrases, isCut);
}

/** @param isCut the text goes on after it */
function buildPiece(read: string, phrases: readonly Phrase[], isCut: boolean): Snippet | null {
  const places = findMatches(tokenize(read), phrases);
  const best = pickBestMatch(places);
  if (best === undefined || new Set(places.map(({ phrase }) => phrase)).size < phrases.length) return null;

  const start = findStart(read, best.from);
  const end = snapToWord(
    read,
    start + MAX_SNIPPET_CHARS,
    snapToGrapheme(read, Math.min(best.to, start + MAX_SNIPPET_CHARS)),
  );
  const inside = places.filter(({ from, to }) => from >= start && to <= end);
  // A found run that is longer than a snippet is marked as far as it is shown.
  const shown = inside.length > 0 ? inside : [{ ...best, to: end }];
  const { line, at } = toOneLine(read.slice(start, end));
  const head = start > 0 ? ELLIPSIS : '';
  const marks = mergeMarks(shown)
    .slice(0, MAX_MARKS)
    .map(([from, to]): [number, number] => [
      head.length + at(Math.max(findGraphemeEdges(read, from)[0], start) - start),
      head.length + at(Math.min(findGraphemeEdges(read, to)[1], end) - start),
    ]);
  return { snippet: head + line + (end < read.length || isCut ? ELLIPSIS : ''), marks };
}

/** Where a piece begins: some words before what was found, at a word's beginning. */
function findStart(text: string, found: number): number {
  if (found <= LEADING_CHARS) return 0;
  const cut = snapToGrapheme(text, found - LEADING_CHARS);
  const next = /\s(?=\S)/u.exec(text.slice(cut, Math.min(cut + MAX_WORD_SNAP_CHARS, found)));
  return next === null ? cut : cut + next.index + 1;
}

/** A text without clutter, and where a place of it stands then. */
function toOneLine(text: string): { line: string; at: (place: number) => number } {
  let line = '';
  const places: number[] = [];
  let done = 0;
  const take = (to: number) => {
    for (; done < to; done += 1) {
      places.push(line.length);
      line += text.charAt(done);
    }
  };
  for (const clutter of text.matchAll(CLUTTER)) {
    take(clutter.index);
    const to = clutter.index + clutter[0].length;
    for (; done < to; done += 1) places.push(line.length);
    if (clutter.groups?.['blank'] !== undefined && line !== '' && !line.endsWith(' ')) line += ' ';
  }
  take(text.length);
  return { line: line.trimEnd(), at: (place) => places[place] ?? line.length };
}
