import { toPlainText } from '../markup/parse-markup.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { findMatches, MAX_INDEXED_CHARS, tokenize, type Phrase, type TextMatch } from './search-words.ts';

/** The maximum length of a snippet, and of its part before the first match; in UTF-16 units. */
export const MAX_SNIPPET_CHARS = 160;
const LEADING_CHARS = 48;
/** A cut moves back to the last space if that is no further than this. */
const MAX_WORD_SNAP_CHARS = 16;
/** A grapheme with more marks than any language uses is cut inside. */
const MAX_CLUSTER_CHARS = 64;
/** More marks than a snippet can usefully show. */
const MAX_MARKS = 20;

const ELLIPSIS = '…';
/** Noise in a one-line snippet: repeated whitespace, unclosed asterisks, bidirectional control characters. */
const CLUTTER =
  /(?<blank>\s+)|(?<![\p{L}\p{N}*])\*+(?=\S)|(?<=\S)(?<!\*)\*+(?![\p{L}\p{N}*])|[\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Part of a text with its matches: `[from, to)` in UTF-16 units, ordered and disjoint. */
export interface Snippet {
  snippet: string;
  marks: [number, number][];
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Returns the edges of the grapheme around a position, or the position twice when it is an edge. In a flood of combining
 * marks only whole code points are kept together.
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

/** Whether a position lies inside a surrogate pair. */
function isInsideSurrogatePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

const snapToGrapheme = (text: string, at: number): number => findGraphemeEdges(text, at)[0];

/** Cuts at a word boundary if one is near, otherwise between graphemes. */
function snapToWord(text: string, at: number, earliest: number): number {
  const cut = snapToGrapheme(text, at);
  if (cut <= earliest || cut >= text.length) return Math.max(cut, earliest);
  const tail = text.slice(Math.max(earliest, cut - MAX_WORD_SNAP_CHARS), cut + 1);
  const blank = tail.search(/\s\S*$/u);
  return blank === -1 ? cut : Math.max(earliest, cut - (tail.length - 1 - blank));
}

/** The match from which a snippet shows the most phrases; the earliest of several. */
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

/** Merges marks that touch or overlap. */
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
 * Builds the snippet of a message around its matches: one line of whole graphemes, at most {@link MAX_SNIPPET_CHARS}
 * units plus an ellipsis at each end. Markup is removed, unless the match lies inside it, as in a link's URL.
 * @returns null unless every phrase occurs in the text
 */
export function buildSnippet(text: string, phrases: readonly Phrase[]): Snippet | null {
  const read = text.slice(0, MAX_INDEXED_CHARS);
  const isCut = text.length > read.length;
  return buildPiece(toPlainText(read), phrases, isCut) ?? buildPiece(sanitizeText(read), phrases, isCut);
}

/** @param isCut whether the message continues after the text */
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
  // If the match is longer than the snippet, mark its visible part.
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

/** Finds the start of the snippet: some words before the match, at a word boundary. */
function findStart(text: string, found: number): number {
  if (found <= LEADING_CHARS) return 0;
  const cut = snapToGrapheme(text, found - LEADING_CHARS);
  const next = /\s(?=\S)/u.exec(text.slice(cut, Math.min(cut + MAX_WORD_SNAP_CHARS, found)));
  return next === null ? cut : cut + next.index + 1;
}

/** Removes noise from a text and maps positions to the result. */
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
